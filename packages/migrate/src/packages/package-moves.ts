/** Where a name is here. */
export interface NameMove {
  readonly name: string;
  /** Another package than its neighbours. */
  readonly from?: string;
  /** Whether what uses it is written in another way here: an idiom changes that, where it is imported by its name. */
  readonly differs?: true;
}

/** Where a package of FeathersJS is here. */
export interface PackageMove {
  readonly to: string;
  /** What its default export is here: a named export, or `default`. */
  readonly standard?: string;
  /** Whether what is taken from the whole module by members is moved, too: no idiom looks at its names. Default: `false` */
  readonly whole?: true;
  /** Names that are the same. */
  readonly same: ReadonlySet<string>;
  /** Names that are others. */
  readonly renamed: Readonly<Record<string, NameMove>>;
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((name) => name !== ''));
const move = (to: string, same: string, renamed: Record<string, NameMove> = {}, standard?: string): PackageMove => ({
  to,
  same: names(same),
  renamed,
  ...(standard === undefined ? {} : { standard }),
});

const PAGINATION: NameMove = { name: 'PaginationOptions', from: '@framework/query' };
const FROM_SCHEMA: NameMove = { name: 'FromSchema', from: 'json-schema-to-ts' };
const CONNECTION: NameMove = { name: 'Connection', from: '@framework/channels' };
const SCHEMA = `Ajv ObjectIdSchema PropertyQuery PropertyResolver Resolver ResolverStatus SchemaWrapper Validator addFormats authenticationSettingsSchema
  defaultAppConfiguration defaultAppSettings getDataValidator getDispatch getValidator hooks queryProperties queryProperty querySyntax resolve resolveAll
  resolveData resolveDispatch resolveExternal resolveQuery resolveResult schema sqlSettingsSchema validateData validateQuery virtual Type Static TSchema
  StringEnum`;
/** What TypeBox has in its version of FeathersJS and in that of `@framework/schema`, which passes on less of it. */
const TYPEBOX =
  names(`ArrayOptions DateOptions Hint Kind ObjectOptions SchemaOptions StringFormatOption StringOptions TAdditionalProperties TAny TAnySchema
  TArray TBoolean TConstructor TConstructorParameters TDate TEnum TFunction TInstanceType TInteger TIntersect TKeyOf TLiteral TLiteralValue TNever TNull
  TNumber TObject TOmit TOptional TParameters TPartial TPick TPromise TProperties TReadonly TReadonlyOptional TRecord TRecordKey TRecursive TRef TRequired
  TReturnType TString TTuple TUint8Array TUndefined TUnion TUnknown TUnsafe TVoid Uint8ArrayOptions UnionLast UnionToIntersect UnionToTuple UnsafeOptions`);

/** The packages that run on the server. Those of clients stay what they are. */
export const PACKAGE_MOVES: Readonly<Record<string, PackageMove>> = {
  '@feathersjs/feathers': move(
    '@framework/core',
    `Application ApplicationHookContext ApplicationHookFunction AroundHookFunction HookContext HookFunction HookMap HookType Http Id
     NextFunction NullableId Paginated Params Query SERVICE ServiceAddons ServiceMethods ServiceMixin ServiceOptions createContext defaultEventMap
     defaultServiceEvents defaultServiceMethods getServiceOptions protectedMethods version`,
    {
      feathers: { name: 'framework' },
      Feathers: { name: 'Application' },
      FeathersApplication: { name: 'Application' },
      FeathersService: { name: 'FrameworkService' },
      ServiceInterface: { name: 'ServiceMethods', differs: true },
      Service: { name: 'ServiceMethods' },
      HookOptions: { name: 'HookMap' },
      ApplicationHookOptions: { name: 'ApplicationHookMap' },
      // The name is here too, of what `app.hooks` takes.
      ApplicationHookMap: { name: 'LifecycleHookMap' },
      PaginationOptions: PAGINATION,
      RealTimeConnection: CONNECTION,
    },
    'framework',
  ),
  '@feathersjs/express': move(
    '@framework/transport-express',
    `Application AuthenticationSettings ErrorHandlerOptions RestOptions Router authenticate compression cors errorHandler formatter json notFound original
     parseAuthentication raw rest serveStatic static text urlencoded`,
    {},
    'default',
  ),
  '@feathersjs/koa': move(
    '@framework/transport-express',
    'Application AuthenticationSettings RestOptions authenticate cors errorHandler formatter parseAuthentication rest serveStatic',
  ),
  '@feathersjs/errors': {
    ...move(
      '@framework/errors',
      `BadGateway BadRequest Conflict ErrorMessage Forbidden GeneralError Gone LengthRequired MethodNotAllowed NotAcceptable NotAuthenticated NotFound
       NotImplemented PaymentError Timeout TooManyRequests Unavailable Unprocessable convert errors`,
      { FeathersError: { name: 'FrameworkError' }, FeathersErrorJSON: { name: 'FrameworkErrorJSON' } },
    ),
    whole: true,
  },
  '@feathersjs/schema': move('@framework/schema', SCHEMA, { FromSchema: FROM_SCHEMA }),
  '@feathersjs/typebox': move(
    '@framework/schema',
    SCHEMA,
    Object.fromEntries([...TYPEBOX].map((name) => [name, { name, from: '@sinclair/typebox' }])),
  ),
  '@feathersjs/configuration': move('@framework/configuration', '', {}, 'configuration'),
  '@feathersjs/transport-commons': move('@framework/channels', 'Channel channels', { RealTimeConnection: { name: 'Connection' } }),
  '@feathersjs/adapter-commons': move('@framework/query', 'PaginationOptions filterQuery select sorter', {
    AdapterParams: { name: 'AdapterParams', from: '@framework/core' },
  }),
  '@feathersjs/authentication': move(
    '@framework/authentication',
    `AuthenticationBase AuthenticationBaseStrategy AuthenticationConfiguration AuthenticationParams AuthenticationRequest AuthenticationResult
     AuthenticationService AuthenticationStrategy ConnectionEvent JWTStrategy authenticate authenticationSettingsSchema hooks`,
  ),
  '@feathersjs/authentication-local': move('@framework/authentication-local', 'LocalStrategy hooks passwordHash'),
  '@feathersjs/authentication-oauth': move('@framework/authentication-oauth', 'OAuthProfile OAuthService OAuthStrategy oauth'),
  '@feathersjs/mongodb': move(
    '@framework/adapter-docdb',
    'AdapterId NullableAdapterId keywordObjectId resolveObjectId resolveQueryObjectId',
    {
      MongoDBService: { name: 'DocDbService' },
      MongoDBAdapterOptions: { name: 'DocDbServiceOptions' },
      MongoDBAdapterParams: { name: 'DocDbParams' },
      errorHandler: { name: 'toFrameworkError' },
    },
  ),
  '@feathersjs/memory': move('@framework/adapter-memory', 'MemoryService MemoryServiceOptions', {
    memory: { name: 'MemoryService', differs: true },
  }),
  '@feathersjs/socketio': move('@framework/transport-socketio', '', {}, 'default'),
};

/** @returns where a package is here; `undefined` for one that is not moved */
export const moveOf = (name: string): PackageMove | undefined => (Object.hasOwn(PACKAGE_MOVES, name) ? PACKAGE_MOVES[name] : undefined);

/** Types that are left out where they stand, with what they describe. */
export const DROPPED: ReadonlySet<string> = new Set(['FormatsPluginOptions']);

/** Packages of clients: they work with both, and stay. */
export const CLIENT_PACKAGES: ReadonlySet<string> = new Set(
  ['client', 'rest-client', 'socketio-client', 'authentication-client', 'primus-client'].map((name) => `@feathersjs/${name}`),
);

/** Packages of the server that are made for FeathersJS and work here unchanged: they stay, too. */
const SERVER_PACKAGES: ReadonlySet<string> = new Set(['adapter-tests', 'commons', 'hooks', 'knex'].map((name) => `@feathersjs/${name}`));

/** Whether a package of FeathersJS stays as it is. */
export const stays = (name: string): boolean => CLIENT_PACKAGES.has(name) || SERVER_PACKAGES.has(name);

/** Packages without a counterpart, and what to do. */
export const NO_COUNTERPART: Readonly<Record<string, string>> = {
  '@feathersjs/primus': 'there is no transport for Primus: take Socket.IO or server-sent events first',
  '@feathersjs/tests': 'it tests packages of FeathersJS itself',
};

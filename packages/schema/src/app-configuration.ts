import { Type, type TObject, type TOptional, type TSchema, type TUnsafe } from '@sinclair/typebox';

const text = (): TSchema => Type.String();
const texts = (): TSchema => Type.Array(Type.String());
const optional = (properties: Readonly<Record<string, TSchema>>): TObject => Type.Partial(Type.Object({ ...properties }));

/** The setting `authentication` of an application. Settings of strategies that are not named here are taken as they are. */
export const authenticationSettingsSchema: TObject = Type.Object(
  {
    secret: Type.String({ description: 'Signs tokens' }),
    entity: Type.Optional(
      Type.Union([text(), Type.Null()], { description: 'Property of params with the entity; null when there is none' }),
    ),
    entityId: Type.Optional(Type.String({ description: 'Name of the id of the entity' })),
    service: Type.Optional(Type.String({ description: 'Path of the service of entities' })),
    authStrategies: Type.Array(text(), { description: 'Strategies that may log in' }),
    parseStrategies: Type.Optional(Type.Array(text(), { description: 'Strategies that read requests' })),
    jwtOptions: Type.Optional(Type.Object({})),
    jwt: Type.Optional(optional({ header: Type.String({ default: 'Authorization' }), schemes: texts() })),
    local: Type.Optional(
      Type.Object({
        usernameField: text(),
        passwordField: text(),
        errorMessage: Type.Optional(Type.String({ default: 'Invalid login' })),
        entityUsernameField: Type.Optional(text()),
        entityPasswordField: Type.Optional(text()),
      }),
    ),
    oauth: Type.Optional(optional({ redirect: text(), origins: texts(), defaults: optional({ key: text(), secret: text() }) })),
  },
  { additionalProperties: true },
);

/** The setting of a connection to an SQL database. */
export const sqlSettingsSchema: TObject = optional({
  client: text(),
  pool: Type.Object({ min: Type.Number(), max: Type.Number() }),
  connection: Type.Union([
    text(),
    Type.Partial(Type.Object({ host: text(), port: Type.Number(), user: text(), password: text(), database: text() })),
  ]),
});

const settings: Readonly<Record<keyof AppSettings, TSchema>> = {
  authentication: authenticationSettingsSchema,
  paginate: Type.Object({ default: Type.Number(), max: Type.Number() }),
  origins: texts(),
  mongodb: text(),
  mysql: sqlSettingsSchema,
  postgresql: sqlSettingsSchema,
  sqlite: sqlSettingsSchema,
  mssql: sqlSettingsSchema,
};

/** Settings that applications usually have, as `app.get` gives them. */
export interface AppSettings {
  /** Of the authentication service; see its own types. */
  authentication: Readonly<Record<string, unknown>>;
  /** Page sizes: what is given where nothing is asked for, and the largest. */
  paginate: { default: number; max: number };
  /** Origins of pages that may call. */
  origins: string[];
  /** URL of a MongoDB server. */
  mongodb: string;
  /** Connection to MySQL or MariaDB. */
  mysql: SqlSettings;
  /** Connection to PostgreSQL. */
  postgresql: SqlSettings;
  /** Connection to SQLite. */
  sqlite: SqlSettings;
  /** Connection to Microsoft SQL Server. */
  mssql: SqlSettings;
}

/** The setting of a connection to an SQL database, as `app.get` gives it. */
export interface SqlSettings {
  /** Name of the driver. */
  client?: string;
  /** Least and largest number of connections. */
  pool?: { min: number; max: number };
  /** Address of the database, or its parts. */
  connection?: string | { host?: string; port?: number; user?: string; password?: string; database?: string };
}

type Properties = { [K in keyof AppSettings]: TOptional<TUnsafe<AppSettings[K]>> };

/**
 * The settings that applications usually have, all of them optional, for a schema of one's own:
 * `Type.Intersect([defaultAppConfiguration, Type.Object({ host: Type.String(), port: Type.Number() })])`.
 */
// The schema is that of the settings above, whose types are told here: TypeBox's own are as long as the schema.
export const defaultAppConfiguration: TObject<Properties> = optional(settings) as TObject<Properties>;

/** The properties of the settings above as a JSON schema, typed by what they are. */
export type AppSettingsProperties = {
  readonly authentication: { readonly type: 'object'; readonly additionalProperties: true };
  readonly paginate: {
    readonly type: 'object';
    readonly additionalProperties: false;
    readonly required: readonly ['default', 'max'];
    readonly properties: { readonly default: { readonly type: 'number' }; readonly max: { readonly type: 'number' } };
  };
  readonly origins: { readonly type: 'array'; readonly items: { readonly type: 'string' } };
  readonly mongodb: { readonly type: 'string' };
} & { readonly [K in 'mysql' | 'postgresql' | 'sqlite' | 'mssql']: { readonly type: 'object'; readonly additionalProperties: true } };

/** The same as the properties of a JSON schema: `{ type: 'object', properties: { ...defaultAppSettings, port: { type: 'number' } } }`. */
export const defaultAppSettings: AppSettingsProperties = Object.freeze(settings) as unknown as AppSettingsProperties;

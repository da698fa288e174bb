import type { ArgumentsOf, ResultOf } from '../service/signatures.ts';
import type { FrameworkService, Id, NullableId, Params, ServiceMethods } from '../service/service-types.ts';

/** Kinds of hooks. */
export type HookType = 'before' | 'after' | 'error' | 'around';

/** Runs the rest of the chain. May be called once. */
export type NextFunction = () => Promise<void>;

/** What an HTTP transport reads from the context (decisions: success status). */
export interface Http {
  /** Status of the answer. Default: worked out from the method and the result. */
  status?: number;
  /** Headers of the answer. */
  headers?: Record<string, string | string[]>;
  /** Target of a redirect; the status becomes 303 unless `status` is set. */
  location?: string;
}

/** An application of Express can be called as well, and many services keep theirs in a property. */
type IsMethod<F> = F extends { readonly services: object } ? false : F extends (...args: never[]) => unknown ? true : false;

type MethodKeys<S> = { [K in keyof S]: IsMethod<NonNullable<S[K]>> extends true ? K : never }[keyof S] & string;

/** Names of the methods that callers have, where the registration names them. */
type CallerMethod<S> = S extends { readonly '~registration'?: { readonly methods: readonly (infer M extends string)[] } }
  ? M | keyof ServiceMethods
  : string;

/** Methods that are never those of callers: of the framework, and of what adapters extend. */
type OwnMethod = 'setup' | 'teardown' | 'on' | 'emit' | 'hooks' | 'getOptions' | 'allowsMulti' | `_${string}`;

/** Names of a service's methods that hooks can be registered for. */
export type MethodName<S> = Exclude<MethodKeys<S> & CallerMethod<S>, OwnMethod>;

type Arguments<S, M> = M extends keyof S ? ArgumentsOf<NonNullable<S[M]>> : never;
type Resolved<S, M> = M extends keyof S ? Awaited<ResultOf<NonNullable<S[M]>>> : never;

type ParamsFrom<P> = unknown extends P ? Params : NonNullable<P>;

/** The argument that holds the parameters; `Params` for methods that take none. */
type ParamsArgument<A, M extends string> = M extends 'find'
  ? A extends { 0: infer P }
    ? ParamsFrom<P>
    : Params
  : M extends 'update' | 'patch'
    ? A extends { 2: infer P }
      ? ParamsFrom<P>
      : Params
    : A extends { 1: infer P }
      ? ParamsFrom<P>
      : Params;

/** The parameters of a method; nothing for what a class has besides its methods, such as `getModel(params)`: its second of two arguments are none. */
type OwnParams<A extends readonly unknown[], M extends string> = M extends keyof ServiceMethods
  ? ParamsArgument<A, M>
  : A extends readonly [unknown, infer P]
    ? ParamsFrom<P> extends Params
      ? ParamsFrom<P>
      : never
    : never;

type ParamsOfEach<S, M extends string> = M extends string ? OwnParams<Required<Arguments<S, M>>, M> : never;

type IsOne<M extends string, All extends string = M> = M extends string ? ([All] extends [M] ? true : false) : never;

/** Whether a service is `any`, as whoever writes it wants all that a context has of it to be. */
type IsAny<S> = 0 extends 1 & S ? true : false;

/** Type of `context.params` in a hook of method `M`. */
export type ContextParams<S, M extends string> =
  IsAny<S> extends true
    ? S
    : unknown extends S
      ? Params
      : IsOne<M> extends true
        ? ParamsArgument<Required<Arguments<S, M>>, M>
        : [ParamsOfEach<S, M>] extends [never]
          ? Params
          : ParamsOfEach<S, M>;

/** Type of `context.data` in a hook of method `M`; `undefined` for methods without data. */
export type ContextData<S, M extends string> =
  IsAny<S> extends true
    ? S
    : unknown extends S
      ? unknown
      : M extends 'find' | 'get' | 'remove'
        ? undefined
        : M extends 'update' | 'patch'
          ? Arguments<S, M>[1]
          : Arguments<S, M>[0];

/** Type of `context.id` in a hook of method `M`; `undefined` for methods without an id. */
export type ContextId<S, M extends string> = keyof PluginApplication extends never ? OwnId<S, M> : Id | undefined;

type OwnId<S, M extends string> =
  IsAny<S> extends true
    ? S
    : unknown extends S
      ? unknown
      : M extends 'get' | 'update' | 'patch' | 'remove'
        ? Arguments<S, M>[0]
        : M extends 'find' | 'create'
          ? undefined
          : NullableId | undefined;

/** Type of `context.result` once the method has run. */
export type ContextResult<S, M extends string> = IsAny<S> extends true ? S : unknown extends S ? unknown : Resolved<S, M>;

/** The service of a context: without a known type only that it is an object. */
export type ContextService<A, S> = IsAny<S> extends true ? S : unknown extends S ? object : FrameworkService<S, A>;

/**
 * What plug-ins expect of an application besides, in types alone; nothing unless it is added to.
 *
 * With `interface PluginApplication extends FeathersApplication {}` in a `declare module '@framework/core'`, hooks and plug-ins that are typed for FeathersJS
 * are taken as they are.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- what it has, applications declare
export interface PluginApplication {}

/** An application as hooks and plug-ins get it. */
export type AsPluginApplication<A> = keyof PluginApplication extends never ? A : A & PluginApplication;

type MethodFor<S> = unknown extends S ? string : MethodName<S>;

/**
 * What a hook gets: the call, its arguments and its result.
 *
 * @typeParam A the application
 * @typeParam S the service
 * @typeParam M the method
 */
export interface HookContext<A = unknown, S = unknown, M extends string = MethodFor<S>> {
  /** The application that the service is registered on. */
  readonly app: AsPluginApplication<A>;
  /** The registered service. */
  readonly service: ContextService<A, S>;
  /** The service's path without outer slashes. */
  readonly path: string;
  /** Name of the method. */
  readonly method: M;
  /** Kind of the hook that runs now. */
  type: HookType;
  /** The live argument list of the call. */
  arguments: unknown[];
  /** The record's id; assigning changes the call. */
  id: ContextId<S, M>;
  /** The data of the call; assigning changes the call. */
  data: ContextData<S, M>;
  /** Parameters of the call, never `undefined`; assigning changes the call. */
  params: ContextParams<S, M>;
  /** The result. Setting it before the method runs skips the method, not the other hooks. */
  result?: ContextResult<S, M> | undefined;
  /** What transports send in place of `result`, when set. */
  dispatch?: unknown;
  /** What was thrown; set in error hooks. */
  error?: unknown;
  /** Shallow copy of the context as it was when the call failed; set in error hooks. */
  original?: Record<string, unknown>;
  /** Event to emit afterwards; `null` for none. */
  event: string | null;
  /** What an HTTP transport sends beside the result. Always an object. */
  http: Http;
  /** Same as `http.status`. */
  statusCode: number | undefined;
  /** The object that the method was called on. */
  readonly self: unknown;
  /** @returns the properties of the context as a plain object */
  toJSON(): keyof PluginApplication extends never ? Record<string, unknown> : this;
}

/** Of the names of a service's methods, those that are sure to be methods of callers, and nothing else that a class has. */
type SureMethod<S, M extends string> = string extends CallerMethod<S> ? M & keyof ServiceMethods : M;

/** The context of a call of one of several methods: `context.method` tells which, and with it what its id, data, params and result are. */
type EachContext<A, S, M extends string> =
  IsOne<M> extends true
    ? HookContext<A, S, M>
    : ContextOfOne<A, S, SureMethod<S, M>> | ContextOfRest<A, S, M, Exclude<M, SureMethod<S, M>>>;

type ContextOfOne<A, S, M extends string> = M extends string ? HookContext<A, S, M> : never;

type ContextOfRest<A, S, M extends string, Rest extends M> = [Rest] extends [never]
  ? never
  : HookContext<A, S, M> & { readonly method: Rest };

/** A before, after or error hook. A returned object is assigned to the context. */
export type HookFunction<A = unknown, S = unknown, M extends string = MethodFor<S>> = {
  // Method form: a hook for any service may be used on a certain one.
  bivariant(this: unknown, context: EachContext<A, S, M>): unknown;
}['bivariant'];

/** An around hook: code before `await next()` runs before the method, code after it afterwards. */
export type AroundHookFunction<A = unknown, S = unknown, M extends string = MethodFor<S>> = {
  bivariant(this: unknown, context: EachContext<A, S, M>, next: NextFunction): unknown;
}['bivariant'];

type OneOrMany<T> = T | readonly T[];

/** Hooks of one kind, by method; `all` runs for each method, before the method's own. */
export type HooksByMethod<A, S> = unknown extends S
  ? Record<string, OneOrMany<HookFunction<A, S>>>
  : {
      /** For every method. */
      all?: OneOrMany<HookFunction<A, S>>;
    } & { [M in MethodName<S>]?: OneOrMany<HookFunction<A, S, M>> };

/** Around hooks by method. */
export type AroundByMethod<A, S> = unknown extends S
  ? Record<string, OneOrMany<AroundHookFunction<A, S>>>
  : {
      /** For every method. */
      all?: OneOrMany<AroundHookFunction<A, S>>;
    } & { [M in MethodName<S>]?: OneOrMany<AroundHookFunction<A, S, M>> };

/** Hooks by kind. */
export interface HooksByType<A, S> {
  /** Run around the method and all other hooks; each calls `next()`. */
  around?: OneOrMany<AroundHookFunction<A, S>> | AroundByMethod<A, S>;
  /** Run before the method. */
  before?: OneOrMany<HookFunction<A, S>> | HooksByMethod<A, S>;
  /** Run after the method. */
  after?: OneOrMany<HookFunction<A, S>> | HooksByMethod<A, S>;
  /** Run when the method, or another hook, has thrown. */
  error?: OneOrMany<HookFunction<A, S>> | HooksByMethod<A, S>;
}

/** What `service.hooks` takes. */
export type HookMap<A = unknown, S = unknown> = HooksByType<A, S> | AroundByMethod<A, S> | readonly AroundHookFunction<A, S>[];

/** Context of the application hooks `setup` and `teardown`. */
export interface ApplicationHookContext<A = unknown> {
  readonly app: A;
  readonly method: 'setup' | 'teardown';
  /** The HTTP server, when there is one. */
  readonly server: unknown;
  arguments: unknown[];
  self: unknown;
}

/** An around hook of `app.setup` or `app.teardown`. */
export type ApplicationHookFunction<A = unknown> = (context: ApplicationHookContext<A>, next: NextFunction) => unknown;

/** Hooks for `setup` and `teardown` of an application. */
export interface LifecycleHookMap<A = unknown> {
  setup?: OneOrMany<ApplicationHookFunction<A>>;
  teardown?: OneOrMany<ApplicationHookFunction<A>>;
}

/** What `app.hooks` takes: hooks for every method of every service, or hooks for `setup` and `teardown`. */
export type ApplicationHookMap<A = unknown> =
  HooksByType<A, unknown> | LifecycleHookMap<A> | AroundByMethod<A, unknown> | readonly AroundHookFunction<A>[];

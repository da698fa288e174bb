import type { LooseService, ServiceExtension, ServiceOptions } from '../service/service-types.ts';

/** Services of an application that declares none: any path may be asked for. */
export type NoServices = Record<never, never>;

/** A path without outer slashes, as services are registered. */
export type ServiceLocation<L extends string> = L extends '/'
  ? L
  : L extends `/${infer Rest}`
    ? ServiceLocation<Rest>
    : L extends `${infer Rest}/`
      ? ServiceLocation<Rest>
      : L;

/** Paths that `app.service` takes. */
export type ServicePath<Services> = keyof Services extends never ? string : WithSlashes<keyof Services & string>;

type WithSlashes<L extends string> = L | `/${L}` | `${L}/` | `/${L}/`;

/** The service at a path. */
export type ServiceAt<Services, L extends string> = L extends keyof Services
  ? Services[L]
  : ServiceLocation<L> extends infer Location extends keyof Services
    ? Services[Location]
    : LooseService;

/** What `app.use` takes at a path: any service, or one of the declared type. */
export type ServiceToUse<Services, L extends string, S> =
  ServiceLocation<L> extends infer Location extends keyof Services ? Services[Location] & S : S;

/** Names of methods that transports may call. */
export type MethodNames = readonly string[];

/** What the names in `methods` have to be among: what the service has. Where the names, or the service, are not known, any will do. */
export type MethodsOf<S, M extends MethodNames> = string extends M[number]
  ? MethodNames
  : keyof S extends never
    ? MethodNames
    : readonly (keyof S & string)[];

/**
 * Options of a registration of which the types of the application keep what clients need: `methods` and `schema`.
 *
 * @typeParam S the service, which has to have the methods
 */
export type RegistrationOptions<M extends MethodNames, X, S = object> = Omit<ServiceOptions, 'methods' | 'schema'> & {
  methods?: M & MethodsOf<S, M>;
  schema?: X;
};

/**
 * A service with what its registration says to clients. For applications that declare their services:
 * `framework<{ messages: ServiceWith<MessageService, { methods: ['find', 'get']; schema: typeof messageSchema }> }>()`.
 */
export type ServiceWith<S, O extends WhatClientsSee<S>> = Carrying<S, O>;

interface WhatClientsSee<S> {
  readonly methods?: readonly (keyof S & string)[];
  readonly schema?: unknown;
}

/** Written out, so that declarations of applications need no name of it. */
type Carrying<S, O> = S & {
  /** Never set: carries types. */
  readonly '~registration'?: O;
};

/** The service with the options that say something to clients; without such it is the service itself. */
type Registered<S, M extends MethodNames, X> = string extends M[number]
  ? ServiceExtension extends X
    ? S
    : Carrying<S, { readonly schema: X }>
  : Carrying<S, { readonly methods: M; readonly schema: X }>;

/**
 * The services of an application after one more registration; those of a mounted application lie below its path.
 *
 * @typeParam M the option `methods`
 * @typeParam X the option `schema`
 */
export type WithService<Services, L extends string, S, M extends MethodNames = MethodNames, X = ServiceExtension> =
  S extends MountedApplication<infer Mounted>
    ? Services & { [K in keyof Mounted & string as ServiceLocation<`${ServiceLocation<L>}/${K}`>]: Mounted[K] }
    : ServiceLocation<L> extends keyof Services
      ? Services
      : Services & Record<ServiceLocation<L>, Registered<S, M, X>>;

/** What tells an application from a service. */
interface MountedApplication<Services> {
  readonly services: Services;
  readonly facade: object;
}

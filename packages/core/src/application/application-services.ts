import type { LooseService } from '../service/service-types.ts';

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

/** The services of an application after one more registration; those of a mounted application lie below its path. */
export type WithService<Services, L extends string, S> =
  S extends MountedApplication<infer Mounted>
    ? Services & { [K in keyof Mounted & string as ServiceLocation<`${ServiceLocation<L>}/${K}`>]: Mounted[K] }
    : ServiceLocation<L> extends keyof Services
      ? Services
      : Services & Record<ServiceLocation<L>, S>;

/** What tells an application from a service. */
interface MountedApplication<Services> {
  readonly services: Services;
  readonly facade: object;
}

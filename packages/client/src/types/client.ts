import type { UntypedClient } from '../client.ts';
import type { ClientService, LooseService } from './client-service.ts';

/** The services of an application by path: `ClientTypes<typeof app>`, or the map itself where that is given. */
export type ClientTypes<App> = App extends { readonly '~services'?: infer Services }
  ? unknown extends Services
    ? App
    : NonNullable<Services>
  : App;

/** A path, with or without outer slashes. */
type WithSlashes<L extends string> = L | `/${L}`;

type WithoutSlash<L extends string> = L extends `/${infer Rest}` ? Rest : L;

/** Paths that `client.service` takes: any where no services are known. */
export type ClientPath<Services> = keyof Services extends never ? string : WithSlashes<keyof Services & string>;

type ServiceAt<Services, L extends string> = L extends keyof Services ? ClientService<Services[L], L> : LooseService;

/** A client of an application. */
export interface Client<Services = Record<never, never>> extends Omit<UntypedClient, 'service'> {
  /**
   * @param path a path of the server
   * @returns the service, the same each time
   */
  service<L extends ClientPath<Services>>(path: L): ServiceAt<Services, WithoutSlash<L>>;
}

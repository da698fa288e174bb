import type { UntypedClient } from '../client.ts';
import type { ClientService, LooseService, RouteOf } from './client-service.ts';

/** The services of an application by path: `ClientTypes<typeof app>`, or the map itself where that is given. */
export type ClientTypes<App> = App extends { readonly '~services'?: infer Services }
  ? unknown extends Services
    ? App
    : NonNullable<Services>
  : App;

/** The services of a client by path, with and without a slash before it. */
export type ClientServices<Services> = keyof Services extends never
  ? Readonly<Record<string, LooseService>>
  : { readonly [L in keyof Services & string as L | `/${L}`]: ClientService<Services[L], RouteOf<L>> };

/** Paths that `client.service` takes: any where no services are known. */
export type ClientPath<Services> = keyof ClientServices<Services> & string;

/** A client of an application. */
export interface Client<Services = Record<never, never>> extends Omit<UntypedClient, 'service'> {
  /**
   * @param path a path of the server
   * @returns the service, the same each time
   */
  service<L extends ClientPath<Services>>(path: L): ClientServices<Services>[L];
}

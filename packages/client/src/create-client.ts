import { clientOf, type ClientOptions } from './client.ts';
import type { Transport } from './transport.ts';
import type { Client, ClientTypes } from './types/client.ts';

/**
 * Makes a client of a server.
 *
 * @typeParam App `typeof app` of the server, imported as a type alone, or a map of its services by path. Without it any path may be asked for
 * @param transport `rest(url)` or `socketio(socket)`
 * @param options events and login
 * @throws TypeError for an option that there is not
 */
export function createClient<App = Record<never, never>>(transport: Transport, options: ClientOptions = {}): Client<ClientTypes<App>> {
  return clientOf(transport, options) as unknown as Client<ClientTypes<App>>;
}

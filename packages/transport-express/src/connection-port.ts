import { BadRequest, Gone } from '@framework/errors';

/** Header by which a call over REST names the stream of its client. */
export const CONNECTION_HEADER = 'connection-id';

/** Setting with the function that finds a connection by its id: a transport that has such connections sets it. */
const CONNECTIONS = 'connections';

/** The longest id, and what it is made of. */
const ID = /^[\w-]{1,128}$/;

/**
 * Finds the real-time connection that a request names, so that what the call does with `params.connection` concerns that: a login logs it in.
 *
 * @param app the application's settings
 * @param id what the header `Connection-Id` says
 * @returns `undefined` where connections have no ids: the header is somebody else's then
 * @throws BadRequest (400) for what is no id; Gone (410) for a connection that is not open here
 */
export function namedConnection(app: { get(name: string): unknown }, id: unknown): object | undefined {
  const find = app.get(CONNECTIONS);
  if (!isFinder(find)) return undefined;
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new BadRequest("The header 'Connection-Id' has to be the id that the stream's event 'connection' told");
  }
  const connection = find(id);
  if (!connection) throw new Gone("The stream of 'Connection-Id' is not open: take the id of the last event 'connection'");
  return connection;
}

function isFinder(value: unknown): value is (id: string) => object | undefined {
  return typeof value === 'function';
}

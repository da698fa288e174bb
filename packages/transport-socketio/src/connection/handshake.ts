import type { IncomingMessage } from 'node:http';
import { toFrameworkError } from '@framework/errors';
import type { Socket } from 'socket.io';

/** A real-time connection: what the server knows of it, and what reaches `params` of its calls. */
export type SocketConnection = Record<string, unknown> & {
  readonly provider: 'socketio';
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

declare module 'socket.io' {
  interface Socket {
    /** The connection of this socket: what middleware puts on it reaches `params` of its calls. */
    framework: SocketConnection;
    /** The same, as applications of the incumbent name it. */
    feathers: SocketConnection;
  }
}

/** What is needed of an authentication service; it is found by its setting. */
interface AuthenticationPort {
  readonly configuration: { readonly authStrategies?: readonly string[]; readonly parseStrategies?: readonly string[] };
  parse(request: object, response: null, ...strategies: string[]): Promise<Credentials | null>;
  create(data: Credentials, params: object): Promise<unknown>;
}

interface Credentials {
  readonly strategy?: string;
}

/** Where an authentication service is looked for. */
export interface AuthenticationHost {
  defaultAuthentication(): object | null;
}

/**
 * Makes the connection of a socket.
 *
 * @param trusted whether the page that connects is one that the server is for. Of another one, cookies say nothing: the browser adds them
 *   whoever the page belongs to
 */
export function createConnection(socket: Socket, trusted: boolean): SocketConnection {
  const { cookie, ...others } = socket.handshake.headers;
  const headers = trusted && cookie !== undefined ? socket.handshake.headers : others;
  const connection: SocketConnection = { provider: 'socketio', headers };
  socket.framework = connection;
  socket.feathers = connection;
  return connection;
}

/**
 * Logs a connection in by what the request that opens it carries; without credentials nothing happens.
 *
 * @param address network address of the client
 * @throws what the login fails with
 */
export async function authenticateConnection(
  app: AuthenticationHost,
  connection: SocketConnection,
  request: Pick<IncomingMessage, 'url'>,
  address: string | undefined,
): Promise<void> {
  const service = app.defaultAuthentication();
  if (!isAuthentication(service)) return;
  const { authStrategies = [], parseStrategies = authStrategies } = service.configuration;
  if (parseStrategies.length === 0) return;
  const { headers } = connection;
  const [path] = (request.url ?? '').split('?', 1);
  const credentials = await service.parse({ method: 'GET', headers, path, ip: address }, null, ...parseStrategies);
  if (!credentials) return;
  connection.authentication = credentials;
  // What gives no token, such as an API key, is verified with each call.
  if (!authStrategies.includes(String(credentials.strategy))) return;
  await service.create(credentials, { provider: 'socketio', connection, headers, address });
}

/** @returns the error that Socket.IO tells a client whose connection is refused: its `data` is the body that REST would have sent */
export function connectError(thrown: unknown): Error {
  const error = toFrameworkError(thrown);
  return Object.assign(new Error(error.message), { data: error.toJSON() });
}

function isAuthentication(service: object | null): service is AuthenticationPort {
  return service !== null && 'parse' in service && 'create' in service && 'configuration' in service;
}

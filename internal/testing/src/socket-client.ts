/* oxlint-disable typescript/no-explicit-any -- clients call services of any shape */
import { feathers } from '@feathersjs/feathers';
import * as authenticationModule from '@feathersjs/authentication-client';
import * as socketioModule from '@feathersjs/socketio-client';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';

type Configure = (app: object) => void;

// Their declarations do not say that Node.js gives a CommonJS module as the default export.
const authentication = authenticationModule.default as unknown as (options: object) => Configure;

/** Makes the services of a client call over a socket. */
export const socketioClient = socketioModule.default as unknown as (socket: Socket) => Configure;

/** The incumbent's client with its socket. */
export interface Client {
  readonly socket: Socket;
  // Services of any shape.
  readonly app: any;
}

const sockets: Socket[] = [];

/** A socket of a client that uses sockets alone, connected. */
export async function connect(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false, ...options });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** The incumbent's client over a socket of its own. */
export async function connectClient(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): Promise<Client> {
  const socket = await connect(url, options);
  const app = feathers() as { configure(configure: Configure): unknown };
  app.configure(socketioClient(socket));
  app.configure(authentication({ storage: memoryStorage() }));
  return { socket, app };
}

/** Closes all sockets. */
export function disconnectAll(): void {
  for (const socket of sockets.splice(0)) socket.disconnect();
}

/** Sends a message as it is and waits for its answer. */
export function call(socket: Socket, ...message: unknown[]): Promise<{ readonly error: any; readonly result: any }> {
  const [name, ...rest] = message;
  return new Promise((resolve) => {
    socket.emit(name as string, ...rest, (error: unknown, result: unknown) => {
      resolve({ error, result });
    });
  });
}

/** Collects the events of a name as they come. */
export function collect(socket: Socket, event: string): any[] {
  const received: unknown[] = [];
  socket.on(event, (record: unknown) => received.push(record));
  return received;
}

/** Each client keeps its own token. */
function memoryStorage(): object {
  const values = new Map<string, unknown>();
  return {
    getItem: (name: string) => Promise.resolve(values.get(name)),
    setItem: (name: string, value: unknown) => Promise.resolve(values.set(name, value)),
    removeItem: (name: string) => Promise.resolve(values.delete(name)),
  };
}

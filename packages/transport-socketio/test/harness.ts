import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { MemoryService } from '@framework-internal/testing';
import { disconnectAll } from '@framework-internal/testing/sockets';
import type { ManagerOptions, Socket } from 'socket.io-client';
import { socketio, type SocketioOptions } from '../src/index.ts';

export { call, collect, connect, connectClient, type Client } from '@framework-internal/testing/sockets';

/** Services of any shape. */
export type AnyApplication = { service(path: string): any } & Application & Record<string, any>;

type Configure = (app: object) => void;

export interface Running {
  readonly app: AnyApplication;
  readonly url: string;
}

const running: { readonly app: AnyApplication; readonly server: Server }[] = [];

/** REST and sockets on a free port until {@link stopAll}. */
export async function start(
  build: (app: AnyApplication) => void,
  options: SocketioOptions = {},
  first: Configure = channels(),
): Promise<Running> {
  const app = express(framework()) as unknown as AnyApplication;
  app.configure(first);
  app.use(json());
  app.configure(rest());
  app.configure(socketio({ logger: false, ...options }));
  build(app);
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0, '127.0.0.1');
  running.push({ app, server });
  return { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Disconnects all clients and stops what {@link start} has started. */
export async function stopAll(): Promise<void> {
  disconnectAll();
  await Promise.all(
    running.splice(0).map(({ app, server }) => {
      // A server waits half a second for connections that a client keeps: nobody uses these any more.
      server.closeIdleConnections();
      return app.close({ timeout: 1000 });
    }),
  );
}

/** A service in memory that may write several records. */
export function memory(options: object = {}): MemoryService {
  return new MemoryService({ multi: true, ...options });
}

/** A client that comes back at once when it is cut off. */
export const RECONNECTING: Partial<ManagerOptions> = { reconnection: true, reconnectionDelay: 5, reconnectionDelayMax: 20 };

/** Cuts the network connection of a client, and waits until it is back. */
export async function cut(socket: Socket, meanwhile: () => unknown = () => undefined): Promise<void> {
  const gone = new Promise((resolve) => socket.once('disconnect', resolve));
  socket.io.engine.close();
  await gone;
  await meanwhile();
  if (socket.connected) return;
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
}

/** Waits until something is so. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Users who log in with a password. */
export function addAuthentication(app: AnyApplication, settings: object = {}): void {
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
    ...settings,
  });
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
}

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { memory } from '@feathersjs/memory';

/** An application with what plug-ins of the incumbent add to it. */
export type AnyApplication = { service(path: string): any } & Application & Record<string, any>;

/** The plug-ins of the incumbent are typed for its own application. */
export function plugin(configure: (app: never) => unknown): (app: object) => void {
  return (app) => {
    configure(app as never);
  };
}

/** A running application. */
export interface Running {
  readonly app: AnyApplication;
  readonly url: string;
}

const running: { readonly app: AnyApplication; readonly server: Server }[] = [];

/**
 * REST, whatever `build` adds, not-found and error handler, listening on a free port until {@link stopAll}.
 *
 * @param build registers plug-ins and services; transports of the incumbent have to come before the services
 */
export async function start(build: (app: AnyApplication) => void): Promise<Running> {
  const app = express(framework()) as unknown as AnyApplication;
  app.use(json());
  app.configure(rest());
  build(app);
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0, '127.0.0.1');
  const started = { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  running.push({ app, server });
  return started;
}

/** Stops what {@link start} started. */
export async function stopAll(): Promise<void> {
  for (const { app, server } of running.splice(0)) {
    app.io?.close();
    // A server waits half a second for connections that a client keeps: nobody uses these any more.
    server.closeIdleConnections();
    await app.close({ timeout: 1000 });
  }
}

/** Users in the incumbent's memory adapter who log in with a password, behind our authentication. */
export function addAuthentication(app: AnyApplication, jwtOptions: object = {}): void {
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    jwtOptions,
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
  });
  app.use('users', memory({ startId: 1 }));
  app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
}

/** An answer of {@link request}. */
export interface Answer {
  readonly status: number;
  readonly body: any;
}

/** Sends a request with JSON. */
export async function request(url: string, method: string, path: string, data?: unknown, headers: object = {}): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { accept: 'application/json', ...(data === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

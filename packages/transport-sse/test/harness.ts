import type { AddressInfo } from 'node:net';
import { request, type IncomingMessage, type Server } from 'node:http';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { MemoryService } from '@framework-internal/testing';
import { startNetwork, type Network } from '@framework-internal/testing/network';
import { EventSource } from 'eventsource';
import { sse, type SseOptions } from '../src/index.ts';

/** Services of any shape. */
export type AnyApplication = { service(path: string): any } & Application & Record<string, any>;

type Configure = (app: object) => void;

export interface Running {
  readonly app: AnyApplication;
  readonly url: string;
}

const running: { readonly app: AnyApplication; readonly server: Server }[] = [];
const ending: (() => unknown)[] = [];

/** What {@link start} is told beside the services. */
export interface StartOptions {
  readonly sse?: SseOptions;
  readonly channels?: Configure;
  /** What stands in front of everything. */
  readonly first?: (app: AnyApplication) => void;
  /** Whether streams stand in front of services. */
  readonly streamsFirst?: boolean;
  /** What is told of errors. Default: nobody. */
  readonly logger?: (error: unknown) => unknown;
}

/** REST and streams on a free port until {@link stopAll}. */
export async function start(build: (app: AnyApplication) => void, options: StartOptions = {}): Promise<Running> {
  const app = express(framework()) as unknown as AnyApplication;
  app.configure(options.channels ?? channels());
  options.first?.(app);
  app.use(json());
  const transports = [rest(), sse({ retry: [1, 10], ...options.sse })];
  for (const transport of options.streamsFirst ? transports.reverse() : transports) app.configure(transport);
  build(app);
  app.use(notFound());
  app.use(errorHandler({ logger: options.logger ?? false }));
  const server = await app.listen(0, '127.0.0.1');
  running.push({ app, server });
  return { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Messages that everybody gets. */
export function startOpen(options: StartOptions = {}, build: (app: AnyApplication) => void = () => undefined): Promise<Running> {
  return start((app) => {
    app.use('messages', memory());
    app.publish(() => app.channel('everybody'));
    app.on('connection', (connection: any) => app.channel('everybody').join(connection));
    build(app);
  }, options);
}

/** Ends all clients and stops what {@link start} has started. */
export async function stopAll(): Promise<void> {
  for (const end of ending.splice(0)) await end();
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

/** An event as a client got it. */
export interface Received {
  readonly name: string;
  readonly data: any;
  readonly id: string | undefined;
}

/** A client that reads the bytes of a stream, as curl does. */
export interface Reader {
  readonly response: IncomingMessage;
  readonly events: Received[];
  /** Everything that came. */
  readonly text: () => string;
  /** The last id. */
  readonly id: () => string | undefined;
  readonly closed: () => boolean;
  close(): void;
}

/** Asks for a stream, and takes whatever answer comes. */
export function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url.includes('/', 8) ? url : `${url}/events`, { method, headers, agent: false });
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end();
    ending.push(() => asked.destroy());
  });
}

/** The status and the JSON of an answer. */
export async function answerOf(response: IncomingMessage): Promise<{ status: number; headers: IncomingMessage['headers']; body: any }> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const isJson = String(response.headers['content-type']).includes('json');
  return { status: response.statusCode ?? 0, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Opens a stream. */
export async function open(url: string, headers: Record<string, string> = {}): Promise<Reader> {
  const response = await ask(url, headers);
  if (response.statusCode !== 200) throw Object.assign(new Error('No stream'), await answerOf(response));
  const events: Received[] = [];
  let [text, rest] = ['', ''];
  let id: string | undefined;
  let closed = false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
      id = fields.id ?? id;
      if (fields.event !== undefined) {
        events.push({ name: fields.event, data: fields.data === '' ? '' : JSON.parse(fields.data), id: fields.id });
      }
    }
  });
  response.on('error', () => undefined);
  response.on('close', () => (closed = true));
  const reader: Reader = { response, events, text: () => text, id: () => id, closed: () => closed, close: () => response.destroy() };
  ending.push(() => reader.close());
  await until(() => events.some(({ name }) => name === 'connection'));
  return reader;
}

/** What a reader got of one event. */
export function dataOf({ events }: Pick<Reader, 'events'>, name: string): any[] {
  return events.filter((event) => event.name === name).map(({ data }) => data);
}

/** The id by which calls name a reader's stream. */
export function connectionId(reader: Pick<Reader, 'events'>): string {
  return dataOf(reader, 'connection').at(-1).id;
}

/** A browser's client, which comes back by itself. */
export interface Source extends Pick<Reader, 'events'> {
  readonly source: EventSource;
}

/** @param names events that are listened to */
export async function openSource(
  url: string,
  names: readonly string[],
  headers: Record<string, string> | (() => Record<string, string>) = {},
): Promise<Source> {
  const events: Received[] = [];
  const source = new EventSource(`${url}/events`, {
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...init.headers, ...(typeof headers === 'function' ? headers() : headers) } }),
  });
  ending.push(() => source.close());
  for (const name of ['connection', 'reset', ...names]) {
    source.addEventListener(name, ({ data, lastEventId }) => events.push({ name, data: JSON.parse(data), id: lastEventId }));
  }
  await new Promise((resolve, reject) => {
    source.addEventListener('connection', resolve);
    source.addEventListener('error', (error) => {
      if (source.readyState === source.CLOSED) reject(error);
    });
  });
  return { source, events };
}

/** A network between clients and a server, until {@link stopAll}. */
export async function network(to: string): Promise<Network> {
  const between = await startNetwork(Number(new URL(to).port));
  ending.push(() => between.stop());
  return between;
}

/** Waits until something is so. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A call over REST. */
export async function call(
  url: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: any }> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Users who log in with a password. */
export function addAuthentication(app: AnyApplication, settings: object = {}): void {
  app.use('users', memory({ startId: 1 }));
  app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
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

/** Credentials of somebody whose password is the name. */
export function credentials(name: string): object {
  return { strategy: 'local', email: `${name}@example.com`, password: name };
}

/** Users by name. */
export async function addUsers(app: AnyApplication, ...names: string[]): Promise<void> {
  for (const name of names) await app.service('users').create({ name, email: `${name}@example.com`, password: name });
}

import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { authenticateConnection, Slots, type AuthenticationHost, type RealTime } from '@framework/channels';
import { tellConnection, tellDisconnect, type ListenedApplication } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type { SseSettings } from '../sse-options.ts';
import { EventStream, StreamTransport, writeStreamHead } from '../stream/event-stream.ts';
import { eventText, retryText } from '../stream/stream-text.ts';
import { checkRequest, trustedHeaders, type StreamRequest } from './stream-request.ts';
import { isGone, whenGone } from './when-gone.ts';

/** A real-time connection: what the server knows of the client of a stream. */
export type SseConnection = Record<string, unknown> & {
  readonly provider: 'sse';
  readonly headers: Readonly<IncomingHttpHeaders>;
};

/** What streams need of an application. */
export interface StreamApplication extends AuthenticationHost, ListenedApplication {
  on(event: 'disconnect', listener: (connection: object) => void): unknown;
}

/** The streams of an application: how they are opened, found, and end. */
export class Streams {
  readonly #app: StreamApplication;
  readonly #realTime: RealTime;
  readonly #settings: SseSettings;
  readonly #slots: Slots;
  readonly #transport = new StreamTransport();
  readonly #byConnection = new Map<object, EventStream>();
  readonly #byId = new Map<string, EventStream>();
  /** Connections whose end was told before there was a stream. */
  readonly #ended = new WeakSet<object>();
  #pinging: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(app: StreamApplication, realTime: RealTime, settings: SseSettings) {
    this.#app = app;
    this.#realTime = realTime;
    this.#settings = settings;
    this.#slots = new Slots({ name: 'streams', most: settings.maxStreams, mostPerAddress: settings.maxPerAddress });
    app.on('disconnect', (connection) => {
      const stream = this.#byConnection.get(connection);
      if (!stream) {
        this.#ended.add(connection);
        return;
      }
      this.#forget(stream);
      stream.end();
    });
  }

  /** @returns the connection of the stream with an id */
  connectionOf(id: string): object | undefined {
    return this.#byId.get(id)?.connection;
  }

  /** Takes streams in again, after {@link endAll}. */
  begin(): void {
    this.#closing = false;
  }

  /** Ends all streams, and those that are asked for from now on: their clients come back, somewhere else. */
  endAll(): void {
    this.#closing = true;
    for (const { connection } of [...this.#byConnection.values()]) tellDisconnect(this.#app, connection);
  }

  /**
   * Answers a request for a stream.
   *
   * @throws MethodNotAllowed (405), NotAcceptable (406), Forbidden (403) for a page of another origin, Unavailable (503) and TooManyRequests (429)
   *   for too many streams, and what the login fails with
   */
  async answer(req: StreamRequest, res: ServerResponse): Promise<void> {
    checkRequest(req, res);
    const headers = trustedHeaders(req, res);
    if (req.method === 'HEAD') this.#answerAtOnce(res);
    else await this.#open(req, res, headers);
  }

  /** A client that gets an error gives up for good; one whose stream ends comes back. */
  #answerAtOnce(res: ServerResponse): void {
    writeStreamHead(res);
    res.end(this.#retry());
  }

  async #open(req: StreamRequest, res: ServerResponse, headers: IncomingHttpHeaders): Promise<void> {
    if (isGone(req, res)) return;
    whenGone(req, res, this.#slots.take(req.ip ?? ''));
    const { provider: _provider, authentication: _authentication, ...given } = req.framework ?? {};
    const connection: SseConnection = { ...given, provider: 'sse', headers };
    await this.#realTime.started;
    const isLoggedIn = await this.#authenticate(req, connection);
    // What middleware has found of somebody would stay for as long as the stream lasts.
    if (given.authenticated === true && !isLoggedIn) throw noLogin();
    await this.#realTime.hub.reach(req.headers['last-event-id']);
    // A login may end, or the application refuse it, while it is waited for.
    if (this.#ended.has(connection)) throw new NotAuthenticated('The connection has ended: connect again');
    if (isGone(req, res) || this.#closing) {
      // What the login has begun to watch is not needed. Without one the application was told of nothing.
      if (isLoggedIn) tellDisconnect(this.#app, connection);
      if (this.#closing) this.#answerAtOnce(res);
      return;
    }
    // A body would be in the way of the news that the client has gone.
    req.resume();
    const stream = new EventStream(res, connection, this.#transport);
    this.#keep(stream);
    whenGone(req, res, () => {
      if (this.#byConnection.has(connection)) tellDisconnect(this.#app, connection);
    });
    await this.#begin(stream, req.headers['last-event-id']);
  }

  /** Strategies read the headers that count. */
  async #authenticate(req: StreamRequest, connection: SseConnection): Promise<boolean> {
    const request: object = Object.create(req, { headers: { value: connection.headers, enumerable: true } }) as object;
    return authenticateConnection(this.#app, connection, { request, address: req.ip, given: req.authentication });
  }

  /** @returns a promise where listeners have something to wait for */
  #begin(stream: EventStream, offset: unknown): Promise<unknown> | undefined {
    const { hub, settings } = this.#realTime;
    const { connection, id } = stream;
    const missed = settings.resume ? offset !== undefined && !hub.canResume(offset) : true;
    stream.write(Buffer.from(this.#retry() + eventText({ name: 'connection', data: JSON.stringify({ id }) })));
    if (missed) stream.write(Buffer.from(eventText({ name: 'reset', data: '{}' })));
    hub.open(stream, offset);
    // A listener that throws is an error of the request: the answer to that ends the connection.
    const told = tellConnection(this.#app, connection);
    // Listeners may have ended it.
    if (this.#byConnection.has(connection)) stream.start();
    // What it missed goes as the client takes it, which a stream that has not begun can not tell.
    hub.ready(connection);
    return told;
  }

  #retry(): string {
    const [least, most] = this.#settings.retry;
    return retryText(randomInt(least, most + 1));
  }

  #keep(stream: EventStream): void {
    this.#byConnection.set(stream.connection, stream);
    this.#byId.set(stream.id, stream);
    this.#pinging ??= setInterval(() => {
      for (const each of this.#byConnection.values()) each.ping();
    }, this.#settings.ping).unref();
  }

  #forget(stream: EventStream): void {
    this.#byConnection.delete(stream.connection);
    this.#byId.delete(stream.id);
    if (this.#byConnection.size > 0) return;
    clearInterval(this.#pinging);
    this.#pinging = undefined;
  }
}

function noLogin(): NotAuthenticated {
  return new NotAuthenticated('A stream ends with its login, and these credentials, such as an API key, give none: log in with a token');
}

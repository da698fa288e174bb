import type { IncomingMessage } from 'node:http';
import { authenticateConnection, Slots, type AuthenticationHost, type RealTime } from '@framework/channels';
import { defaultServiceMethods, getServiceOptions, tellConnection, tellDisconnect, type ListenedApplication } from '@framework/core';
import { NotAuthenticated, TooManyRequests } from '@framework/errors';
import type { Server, Socket } from 'socket.io';
import { logError } from '../call/call-error.ts';
import type { CallApplication } from '../call/run-method.ts';
import type { SocketioSettings } from '../socketio-options.ts';
import { encoderOf } from '../server/encoded-event.ts';
import { gatherWrites } from '../server/gather-writes.ts';
import { SocketSubscriber, SocketTransport } from '../server/socket-transport.ts';
import { addressOf, type TrustProxy } from './address.ts';
import { Calls, CONNECTION_ENDED, type CallLimits } from './calls.ts';
import { connectError, createConnection, type SocketConnection } from './handshake.ts';
import { originOf } from './origin.ts';

/** What sockets need of an application. */
export interface SocketApplication extends CallApplication, AuthenticationHost, ListenedApplication {
  readonly services: object;
  readonly mixins: ((service: object) => void)[];
  get(name: string): unknown;
  on(event: 'disconnect', listener: (connection: object) => void): unknown;
  on(event: 'closing', listener: () => Promise<void>): unknown;
}

/**
 * Sockets that one network connection may have begun. Socket.IO closes it where it asks for a second one, but not while the first is looked at: a client
 * that asks on would be many for the price of one.
 */
const MOST_BEGUN = 5;

/** Socket.IO itself listens on each socket to the event of this name, so that it does not throw; that answers nobody. */
const OWN_ERROR_LISTENERS = 1;

/** Called on the socket that something comes from: one for all sockets takes less memory than one for each. */
type SocketListener = (this: Socket, ...args: unknown[]) => void;

/** The sockets of an application: how they connect, call, and go. */
export class Sockets {
  readonly #app: SocketApplication;
  readonly #realTime: RealTime;
  readonly #settings: SocketioSettings;
  readonly #limits: CallLimits;
  readonly #slots: Slots;
  readonly #transport: SocketTransport;
  /** What takes the calls of each method, for all sockets; behind middleware of the socket, which may refuse a call. */
  readonly #methods = new Map<string, SocketListener>();
  readonly #sockets = new Map<object, Socket>();
  readonly #calls = new Map<Socket, Calls>();
  /** The sockets of each network connection. */
  readonly #begun = new WeakMap<Socket['conn'], Set<Socket>>();
  /** Connections whose end was told by the application. */
  readonly #ended = new WeakSet<object>();
  /** Connections that the application was told of, by a login or by their start: it is told the end of these alone. */
  readonly #told = new WeakSet<object>();
  #closing = false;
  /** What no service and nobody else knows is answered too. */
  readonly #unknown: SocketListener;
  readonly #disconnected: SocketListener;

  constructor(app: SocketApplication, realTime: RealTime, settings: SocketioSettings) {
    this.#app = app;
    this.#realTime = realTime;
    this.#settings = settings;
    this.#limits = { maxMessage: settings.maxMessage, maxCalls: settings.maxCalls, maxBuffer: realTime.settings.maxBuffer };
    this.#slots = new Slots({ name: 'sockets', most: settings.maxSockets, mostPerAddress: settings.maxPerAddress });
    this.#transport = new SocketTransport(encoderOf(settings.server.parser));
    for (const method of defaultServiceMethods) this.#methods.set(method, this.#listenerOf(method));
    for (const service of Object.values(app.services)) this.#addMethods(service as object);
    app.mixins.push((service) => {
      this.#addMethods(service);
    });
    const calls = this.#calls;
    this.#unknown = function (name, ...args) {
      const event = String(name);
      const own = event === 'error' ? OWN_ERROR_LISTENERS : 0;
      if (typeof args.at(-1) === 'function' && this.listenerCount(event) === own) calls.get(this)?.take(event, args);
    };
    const gone = (socket: Socket): void => {
      this.#gone(socket, socket.framework);
    };
    this.#disconnected = function () {
      // Parsers of the application's own may let clients send events of this name.
      if (this.connected) this.disconnect(true);
      else gone(this);
    };
    app.on('disconnect', (connection) => {
      const socket = this.#sockets.get(connection);
      this.#ended.add(connection);
      if (socket?.connected !== true) return;
      const disconnect = (): void => void socket.disconnect();
      const calls = this.#calls.get(socket);
      if (calls) calls.refuse(disconnect);
      else disconnect();
    });
  }

  /** Settles when all calls that are being worked on are answered. */
  get answered(): Promise<unknown> {
    return Promise.all([...this.#calls.values()].map((calls) => calls.answered));
  }

  /** @param io the server that the sockets come from */
  attach(io: Server): void {
    this.#closing = false;
    io.use((socket, next) => {
      this.#accept(socket).then(
        () => {
          next();
        },
        (error: unknown) => {
          next(connectError(error, this.#settings.logger));
        },
      );
    });
    io.on('connection', (socket) => {
      gatherWrites(io.engine);
      this.#connected(socket, socket.framework);
    });
  }

  /**
   * Counts the network connections of an engine: who says nothing takes memory too.
   *
   * @param engine each server of Engine.IO has to be given once
   */
  count(engine: Server['engine']): void {
    engine.on('connection', (conn: Socket['conn']) => {
      try {
        conn.once('close', this.#slots.take(this.#addressOf(conn.request) ?? ''));
      } catch {
        // Several that came at once found the last room.
        conn.close(true);
      }
    });
  }

  /** Refuses new connections from now on, and cuts those that are there: their clients come back, somewhere else. */
  refuse(): void {
    this.#closing = true;
  }

  cut(): void {
    for (const { conn } of this.#sockets.values()) closeSoon(conn);
  }

  /** @returns why a request can not open a connection, if it can not */
  async refusal(req: IncomingMessage): Promise<string | undefined> {
    if (this.#closing) return 'The server is closing';
    const refusal = this.#slots.refusal(this.#addressOf(req) ?? '');
    if (refusal && refusal.code >= 500) logError(this.#settings.logger, refusal.message, refusal);
    if (refusal) return refusal.message;
    return (await this.#originOf(req)) === 'refused' ? 'The origin of the page is not allowed: list it in cors.origin' : undefined;
  }

  #originOf(req: Pick<IncomingMessage, 'headers'>): ReturnType<typeof originOf> {
    return originOf(req, this.#settings.server.cors);
  }

  async #accept(socket: Socket): Promise<void> {
    const { request, conn } = socket;
    const begun = this.#begun.get(conn) ?? this.#begin(conn);
    if (begun.size >= MOST_BEGUN) {
      conn.close(true);
      throw new TooManyRequests('Too many connections in one');
    }
    begun.add(socket);
    const connection = createConnection(socket, (await this.#originOf(request)) === 'trusted');
    // Nobody would hear of its end any more.
    if (conn.readyState === 'closed') throw new NotAuthenticated(CONNECTION_ENDED);
    this.#sockets.set(connection, socket);
    const [path] = (request.url ?? '').split('?', 1);
    await this.#realTime.started;
    const address = this.#addressOf(request);
    const isLoggedIn = await authenticateConnection(this.#app, connection, {
      request: { method: 'GET', headers: connection.headers, path, ip: address },
      address,
      hasCalls: true,
    });
    if (isLoggedIn) this.#told.add(connection);
    // Its client may have gone in the middle of the login.
    if (!this.#sockets.has(connection)) this.#tellEnd(connection);
    if (this.#ended.has(connection)) throw new NotAuthenticated(CONNECTION_ENDED);
  }

  /** @returns the sockets of a network connection, none yet; those that are there at its end go with it */
  #begin(conn: Socket['conn']): Set<Socket> {
    const begun = new Set<Socket>();
    this.#begun.set(conn, begun);
    conn.once('close', () => {
      for (const socket of begun) this.#gone(socket, socket.framework);
    });
    return begun;
  }

  #connected(socket: Socket, connection: SocketConnection): void {
    if (this.#ended.has(connection)) {
      // While middleware of the application was at it: nobody would be told of its end any more.
      socket.disconnect();
      this.#gone(socket, connection);
      return;
    }
    const { maxBuffer } = this.#limits;
    const calls = new Calls(this.#app, socket, connection, this.#addressOf(socket.request), this.#limits, this.#settings.logger);
    this.#calls.set(socket, calls);
    for (const [method, listener] of this.#methods) socket.on(method, listener);
    socket.onAny(this.#unknown);
    socket.on('disconnect', this.#disconnected);
    const { offset } = socket.handshake.auth as { readonly offset?: unknown };
    const subscriber = new SocketSubscriber(socket, connection, this.#transport, maxBuffer);
    const isResumed = this.#realTime.hub.open(subscriber, offset, socket.recovered);
    if (socket.recovered && !isResumed) {
      // What it missed has gone since its client was told that it resumes: that is told otherwise when it comes back.
      subscriber.close('events lost');
      return;
    }
    const failed = (error: unknown): void => {
      // Who it is, and what it may see, is not settled.
      logError(this.#settings.logger, 'A listener of a connection failed', error);
      socket.disconnect();
    };
    this.#told.add(connection);
    try {
      tellConnection(this.#app, connection)?.catch(failed);
    } catch (error) {
      failed(error);
      return;
    }
    this.#realTime.hub.ready(connection);
  }

  #gone(socket: Socket, connection: SocketConnection): void {
    if (!this.#sockets.delete(connection)) return;
    this.#begun.get(socket.conn)?.delete(socket);
    this.#calls.get(socket)?.end();
    this.#calls.delete(socket);
    this.#tellEnd(connection);
  }

  #tellEnd(connection: SocketConnection): void {
    if (!this.#told.has(connection)) this.#realTime.hub.close(connection);
    else if (!this.#ended.has(connection)) tellDisconnect(this.#app, connection);
  }

  #listenerOf(method: string): SocketListener {
    const calls = this.#calls;
    return function (...args) {
      calls.get(this)?.take(method, args);
    };
  }

  /** Sockets that are there can call methods of services that come later. */
  #addMethods(service: object): void {
    for (const method of getServiceOptions(service)?.methods ?? []) {
      if (this.#methods.has(method)) continue;
      const listener = this.#listenerOf(method);
      this.#methods.set(method, listener);
      for (const socket of this.#calls.keys()) socket.on(method, listener);
    }
  }

  #addressOf(request: IncomingMessage): string | undefined {
    const trust = this.#app.get('trust proxy fn');
    return addressOf(request, typeof trust === 'function' ? (trust as TrustProxy) : undefined);
  }
}

/** Milliseconds that a client has to ask for what is left to be said. */
const LAST_WORDS = 500;

/**
 * A client that polls hears of the end with its next request. One that sends none is not waited for: Engine.IO would, for half a minute, and keep the
 * process alive as long.
 */
function closeSoon(conn: Socket['conn']): void {
  const isAway = (): boolean => conn.transport.name === 'polling' && !conn.transport.writable;
  if (!isAway()) {
    conn.close();
    return;
  }
  const timer = setTimeout(() => {
    conn.close(isAway());
  }, LAST_WORDS);
  conn.once('close', () => {
    clearTimeout(timer);
  });
}

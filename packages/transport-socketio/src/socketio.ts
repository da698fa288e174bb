import http, { type IncomingMessage } from 'node:http';
import { channels, realTimeOf, Turns } from '@framework/channels';
import { describeTransport, isThenable, listening } from '@framework/core';
import { Server } from 'socket.io';
import { Sockets, type SocketApplication } from './connection/sockets.ts';
import { resumingAdapter } from './server/adapter.ts';
import { boundRequests } from './server/bound-requests.ts';
import { checkVersions } from './server/versions.ts';
import { socketioSettings, type SocketioCallback, type SocketioOptions, type SocketioSettings } from './socketio-options.ts';

declare module '@framework/core' {
  interface ApplicationAddons {
    /** The server of Socket.IO; there once the application was set up. */
    io: Server;
  }
}

/** Milliseconds in which calls have to be answered when an application without a server of HTTP ends. */
const END_TIME = 10_000;

/** Starts and ends of an application with its sockets. */
interface Starts {
  readonly turns: Turns;
  /** The server of its own that begins to listen. */
  opening: Promise<unknown> | undefined;
}

/** An application as the transport changes it. */
interface ServedApplication extends SocketApplication {
  io?: Server;
  listen?: (...args: unknown[]) => Promise<unknown>;
  setup: (server?: unknown, ...rest: unknown[]) => Promise<unknown>;
  teardown: (...args: unknown[]) => Promise<unknown>;
  close?: (...args: unknown[]) => Promise<void>;
}

/**
 * Enables calls and events over Socket.IO: `app.configure(socketio())`. Services may be registered before or after it.
 *
 * @param port of a server of its own. Default: that of the application
 * @param options those of Socket.IO, and limits for calls
 * @param callback called with the server before services are set up; a promise that it gives is waited for
 * @returns to be given to `app.configure`
 * @throws TypeError for arguments and options that are not what they have to be; Error for versions of Socket.IO's packages with known holes
 * @see interface 6, security S35
 */
export function socketio(callback?: SocketioCallback): (app: object) => void;
export function socketio(options: number | SocketioOptions | undefined, callback?: SocketioCallback): (app: object) => void;
export function socketio(port: number, options: SocketioOptions | undefined, callback?: SocketioCallback): (app: object) => void;
export function socketio(...args: unknown[]): (app: object) => void {
  const settings = socketioSettings(args);
  checkVersions();
  return (app) => {
    const served = app as ServedApplication;
    channels()(app);
    // Says that there is a transport, without paths of its own; calls of an application of another copy of the core could not be made.
    describeTransport(app, {});
    const sockets = new Sockets(served, realTimeOf(app), settings);
    const starts: Starts = { turns: new Turns(), opening: undefined };
    addServer(served, sockets, settings, starts);
    addListen(served);
    addEnd(served, sockets, starts);
  };
}

function addServer(app: ServedApplication, sockets: Sockets, settings: SocketioSettings, starts: Starts): void {
  const setup = app.setup.bind(app);
  let attached = new WeakSet<object>();
  app.setup = async (server, ...rest): Promise<unknown> => {
    const turn = starts.turns.begin();
    if (turn.ending) await turn.ending;
    turn.refuseEnded();
    const isNew = !app.io;
    if (isNew) attached = new WeakSet();
    const io = (app.io ??= newServer(app, sockets, settings));
    const own = isNew && settings.port !== undefined ? portServer() : undefined;
    const target = settings.port === undefined ? server : own;
    // One that the application could not start with has ended, and another may come in its place, or beside it.
    if (isObject(target) ? !attached.has(target) : isNew && target !== undefined) attach(io, target as http.Server, sockets, settings);
    if (isObject(target)) attached.add(target);
    await callBack(app, io, settings, own !== undefined);
    turn.refuseEnded();
    if (own) starts.opening = listenOrEnd(app, own, settings.port);
    // Also who comes beside the one that opens it.
    const { opening } = starts;
    if (opening) {
      await opening.finally(() => {
        starts.opening = undefined;
      });
      turn.refuseEnded();
    }
    return setup(server, ...rest);
  };
}

/** Packets that one request of polling may carry, where fewer calls may wait. */
const MOST_PACKETS = 1000;

function attach(io: Server, target: http.Server, sockets: Sockets, { maxCalls }: SocketioSettings): void {
  io.attach(target);
  // Each server of HTTP has an engine of its own.
  boundRequests(io.engine, Math.max(MOST_PACKETS, maxCalls));
  sockets.count(io.engine);
}

function newServer(app: ServedApplication, sockets: Sockets, settings: SocketioSettings): Server {
  const io = createServer(app, sockets, settings);
  sockets.attach(io);
  return io;
}

/** As Socket.IO makes one for a port, whose error nobody would hear of. */
function portServer(): http.Server {
  return http.createServer((_req, res) => {
    res.writeHead(404).end();
  });
}

/**
 * Calls the application's callback, which may be asynchronous: an adapter that it connects is there before the services are.
 *
 * @param hasPort whether the server is one of its own, which opens with the next setup then
 * @throws what it fails with
 */
async function callBack(app: ServedApplication, io: Server, { callback }: SocketioSettings, hasPort: boolean): Promise<void> {
  try {
    const pending: unknown = callback?.call(app, io);
    if (isThenable(pending)) await pending;
  } catch (error) {
    if (hasPort) {
      await io.close();
      delete app.io;
    }
    throw error;
  }
}

/** @throws the server's error, for example `EADDRINUSE`; there is no server of Socket.IO then */
async function listenOrEnd(app: ServedApplication, server: http.Server, port: number | undefined): Promise<void> {
  try {
    await listening(server, [port]);
  } catch (error) {
    await app.io?.close();
    delete app.io;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function createServer(app: ServedApplication, sockets: Sockets, { server }: SocketioSettings): Server {
  const { hub, settings } = realTimeOf(app);
  const { allowRequest } = server;
  const resume = { maxDisconnectionDuration: settings.window.milliseconds, skipMiddlewares: false };
  return new Server({
    ...server,
    ...(settings.resume ? { connectionStateRecovery: resume } : {}),
    adapter: resumingAdapter(hub, server.adapter) as never,
    allowRequest: (req: IncomingMessage, answer: (error: string | null | undefined, allowed: boolean) => void) => {
      sockets.refusal(req).then(
        (refusal) => {
          if (refusal === undefined && allowRequest) allowRequest(req, answer);
          else answer(refusal, refusal === undefined);
        },
        () => {
          answer('The origin of the page can not be checked', false);
        },
      );
    },
  });
}

/** For applications without Express. */
function addListen(app: ServedApplication): void {
  app.listen ??= async (...args) => {
    const server = http.createServer();
    await app.setup(server);
    return listening(server, args);
  };
}

/** Calls are answered, then clients are cut off so that they come back, somewhere else. */
function addEnd(app: ServedApplication, sockets: Sockets, starts: Starts): void {
  const end = async (late?: Promise<unknown>): Promise<void> => {
    sockets.refuse();
    await Promise.race([sockets.answered, ...(late ? [late] : [])]);
    sockets.cut();
  };
  // That of an outer application, whose server the sockets are on, too.
  app.on('closing', () => end());
  const { teardown, close } = app;
  // A server closes when its connections have ended, and a client that polls would keep it from that.
  if (close) {
    app.close = async (...args): Promise<void> => {
      void end();
      await close.apply(app, args);
    };
  }
  const tearDown = async (args: unknown[]): Promise<unknown> => {
    let timer: NodeJS.Timeout | undefined;
    // Where a server of HTTP has ended, nobody waits for an answer any more.
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, END_TIME);
    });
    await end(late);
    clearTimeout(timer);
    // One that is closed before it listens says nothing to who waits for that.
    await Promise.allSettled([starts.opening]);
    try {
      return await teardown.apply(app, args);
    } finally {
      await app.io?.close();
      delete app.io;
    }
  };
  app.teardown = (...args): Promise<unknown> => starts.turns.end(() => tearDown(args));
}

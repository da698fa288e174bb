import { checkSpelling, givenOptions } from '@framework/core';
import type { Server, ServerOptions } from 'socket.io';
import type { CallLogger } from './call/call-error.ts';
import { safeChecks } from './server/safe-checks.ts';

/** Options of {@link socketio}: those of Socket.IO, and these. */
export interface SocketioOptions extends Partial<ServerOptions> {
  /** Size of a call's arguments, in bytes; a larger one gets 413. Default: 102,400. */
  readonly maxMessage?: number;
  /** Calls of one connection that may wait for their answers; one more gets 429. Default: 100. */
  readonly maxCalls?: number;
  /** Connections of this process, also of those who say nothing; one more is refused, and its client comes back by itself. Default: 100,000. */
  readonly maxSockets?: number;
  /** Connections of one network address, or of one IPv6 network of 64 bits; one more is refused. Default: 10,000. */
  readonly maxPerAddress?: number;
  /** Told of errors of 500 and above, and of those below that hold one; `false` for none. Default: `console.error`. */
  readonly logger?: CallLogger | false;
}

/** Called with the server before services are set up; a promise that it gives is waited for. */
export type SocketioCallback = (io: Server) => unknown;

/** What `socketio` was called with. */
export interface SocketioSettings {
  /** Port of a server of its own; `undefined` for the application's. */
  readonly port: number | undefined;
  readonly maxMessage: number;
  readonly maxCalls: number;
  readonly maxSockets: number;
  readonly maxPerAddress: number;
  readonly logger: CallLogger | false | undefined;
  /** The options of Socket.IO. */
  readonly server: Partial<ServerOptions>;
  readonly callback: SocketioCallback | undefined;
}

/** What there is, of Socket.IO too. Later versions of it may have more. */
const NAMES: ReadonlySet<string> = new Set(
  [
    'maxMessage maxCalls maxSockets maxPerAddress logger path serveClient adapter parser connectTimeout connectionStateRecovery',
    'cleanupEmptyChildNamespaces pingTimeout pingInterval upgradeTimeout maxHttpBufferSize allowRequest transports allowUpgrades',
    'perMessageDeflate httpCompression wsEngine initialPacket cookie cors allowEIO3 addTrailingSlash destroyUpgrade destroyUpgradeTimeout',
  ].flatMap((names) => names.split(' ')),
);

/** Engine.io cuts connections whose messages are larger; up to that size a call is answered. */
const MAX_HTTP_BUFFER = 1_000_000;

/**
 * Reads the arguments of `socketio`: a port, options and a callback, each of which may be left out.
 *
 * @throws TypeError for an argument or option that is not what it has to be
 */
export function socketioSettings(args: readonly unknown[]): SocketioSettings {
  const rest = [...args];
  const port = typeof rest[0] === 'number' ? (rest.shift() as number) : undefined;
  const options = isOptions(rest[0])
    ? (rest.shift() as SocketioOptions)
    : rest[0] === undefined && rest.length > 1
      ? (rest.shift(), {})
      : {};
  const callback = rest.shift();
  if ((callback !== undefined && !isCallback(callback)) || rest.length > 0) {
    throw new TypeError('socketio takes a port, options and a callback: socketio([port,] [options,] [callback(io)])');
  }
  // A misspelt limit would be none.
  checkSpelling('socketio()', options, NAMES);
  // Socket.IO lays options that are undefined over its defaults, and takes messages of whatever size then.
  const { maxMessage = 102_400, maxCalls = 100, maxSockets = 100_000, maxPerAddress = 10_000, logger, ...server } = givenOptions(options);
  const limits = { maxMessage, maxCalls, maxSockets, maxPerAddress };
  const { maxHttpBufferSize = Math.max(MAX_HTTP_BUFFER, maxMessage) } = server;
  for (const [name, value] of Object.entries({ ...limits, maxHttpBufferSize })) {
    if (!Number.isSafeInteger(value) || value <= 0)
      throw new TypeError(`The option '${name}' of socketio() has to be a whole number above 0`);
  }
  if (server.connectionStateRecovery !== undefined) {
    throw new TypeError(
      "The option 'connectionStateRecovery' belongs to the channels: leave it out, and use channels({ window, resume }) for how clients resume",
    );
  }
  checkKinds(logger, server.cors);
  return { port, ...limits, logger, callback, server: { ...server, ...safeChecks(server, logger), maxHttpBufferSize } };
}

/** Callers without types may give anything, and would hear of it with the first error, or the first page that may not connect. */
function checkKinds(logger: unknown, cors: unknown): void {
  const method: unknown = typeof logger === 'object' && logger !== null ? Reflect.get(logger, 'error') : logger;
  if (logger !== undefined && logger !== false && typeof method !== 'function')
    throw new TypeError("The option 'logger' of socketio() is a function, an object with a method error, or false");
  if (cors !== undefined && typeof cors !== 'function' && !isOptions(cors))
    throw new TypeError("The option 'cors' of socketio() is an object, such as { origin: 'https://app.example.com' }, or a function");
  // A setting that is missing would let the pages of everybody in.
  if (isOptions(cors) && Object.hasOwn(cors, 'origin') && cors.origin === undefined)
    throw new TypeError("The option 'cors.origin' of socketio() is undefined: name the origins of your pages, or '*' for all");
}

function isOptions(value: unknown): value is Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCallback(value: unknown): value is SocketioCallback {
  return typeof value === 'function';
}

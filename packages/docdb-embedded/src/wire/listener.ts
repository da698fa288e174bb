import { randomUUID } from 'node:crypto';
import net from 'node:net';
import type { Admissions } from '../commands/admissions.ts';
import type { ConnectionState, Traffic } from '../commands/command.ts';
import { DocDbError } from '../errors.ts';
import { Framing, MAX_WHOLE } from './framing.ts';
import { listenError } from './listen-error.ts';
import { readMessage, refusal, writeMessage } from './message.ts';
import { type Client, type CommandHandler, MAX_GREETING, respond } from './respond.ts';
import { tlsServer, type TlsOptions } from './tls.ts';

/** What is done for clients. */
export interface ClientHandlers {
  readonly handle: CommandHandler;
  /** Whether nobody has logged in on a connection where somebody should: long messages are not kept until then. */
  isStranger(connection: ConnectionState): boolean;
  /** A client has gone that waited for an answer. */
  left(connection: ConnectionState): void;
}

/** Accepts connections and answers their commands, one after the other on each connection. */
export class Listener {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  /** Those that wait for their turn, and those that carry an encrypted connection. */
  readonly #carriers = new Set<net.Socket>();
  /** Commands that run, by connection. */
  readonly #work = new Map<net.Socket, Promise<void>>();
  /** How many clients have connected so far. */
  made = 0;
  readonly #traffic = { bytesIn: 0, bytesOut: 0, requests: 0 };
  /** The clients that are connected, by number. */
  readonly connections: Map<number, ConnectionState> = new Map();
  /** Whether it ends connections itself. */
  #isClosing = false;

  /**
   * @param admissions when a connection may begin
   * @param tls how connections are encrypted; plain ones are refused then
   */
  constructor(handlers: ClientHandlers, admissions: Admissions, tls?: TlsOptions) {
    const accept = (socket: net.Socket): void => {
      this.#accept(socket, handlers, tls !== undefined);
    };
    const encrypted = tls && tlsServer(tls, accept);
    const begin = encrypted ? (socket: net.Socket): void => this.#encrypt(socket, encrypted) : accept;
    this.#server = net.createServer((socket) => {
      this.#admit(socket, admissions, begin);
    });
  }

  /** What a client sends before its turn waits with it. */
  #admit(socket: net.Socket, admissions: Admissions, begin: (socket: net.Socket) => void): void {
    const wait = admissions.ask();
    if (wait === undefined) {
      socket.destroy();
      return;
    }
    if (wait === 0) {
      begin(socket);
      return;
    }
    admissions.queued += 1;
    this.#carriers.add(socket);
    const timer = setTimeout(() => {
      socket.off('close', leave);
      leave();
      begin(socket);
    }, wait);
    const leave = (): void => {
      clearTimeout(timer);
      admissions.queued -= 1;
      this.#carriers.delete(socket);
    };
    socket.once('close', leave);
    socket.once('error', () => socket.destroy());
  }

  /** Looks how a client begins: with TLS, or it is told that it has to. */
  #encrypt(socket: net.Socket, encrypted: net.Server): void {
    const framing = new Framing();
    let received = 0;
    this.#carriers.add(socket);
    const timer = setTimeout(() => socket.destroy(), FIRST_LIMIT);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(timer);
      this.#carriers.delete(socket);
    });
    const refuse = (chunk: Buffer): void => {
      received += chunk.length;
      // Who has not proved anything may fill no memory.
      if (received > MAX_GREETING) socket.destroy();
      else refusePlain(socket, framing, chunk);
    };
    let first: Buffer = Buffer.alloc(0);
    const look = (chunk: Buffer): void => {
      first = Buffer.concat([first, chunk]);
      // They may come one by one.
      if (first.length < TLS_BYTES) return;
      socket.off('data', look);
      if (!isTls(first)) {
        socket.on('data', refuse);
        refuse(first);
        return;
      }
      socket.pause();
      clearTimeout(timer);
      socket.unshift(first);
      encrypted.emit('connection', socket);
    };
    socket.on('data', look);
  }

  /**
   * @param unref whether the process may end while it listens
   * @returns the port
   * @throws Error with the code of the system, for example `EADDRINUSE`
   */
  listen(port: number, host: string, unref: boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => {
        reject(listenError(error, port, host));
      };
      this.#server.once('error', refuse);
      this.#server.listen(port, host, () => {
        this.#server.off('error', refuse);
        if (unref) this.#server.unref();
        resolve((this.#server.address() as net.AddressInfo).port);
      });
    });
  }

  /** Bytes and messages of all clients so far. */
  get traffic(): Traffic {
    const traffic = { ...this.#traffic };
    for (const { bytesRead, bytesWritten } of this.#sockets) {
      traffic.bytesIn += bytesRead;
      traffic.bytesOut += bytesWritten;
    }
    return traffic;
  }

  /**
   * Closes all connections and stops listening.
   *
   * @param limit milliseconds that commands which run have to end
   * @param interrupt interrupts those that have not
   */
  async close(limit: number, interrupt: () => void): Promise<void> {
    this.#isClosing = true;
    for (const socket of [...this.#sockets, ...this.#carriers]) socket.destroy();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    const all = Promise.all([closed, ...this.#work.values()]);
    if (await isIn(all, limit)) return;
    interrupt();
    await isIn(all, INTERRUPTED);
  }

  #accept(socket: net.Socket, handlers: ClientHandlers, encrypted: boolean): void {
    let leave = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const connection: ConnectionState = {
      id: ++this.made,
      uuid: randomUUID(),
      remote: `${socket.remoteAddress ?? ''}:${String(socket.remotePort ?? 0)}`,
      user: undefined,
      client: undefined,
      closed: false,
      gone,
    };
    const client: Client = { socket, connection, isWaiting: false };
    const framing = new Framing();
    let waiting = 0;
    this.#sockets.add(socket);
    this.connections.set(connection.id, connection);
    this.#work.set(socket, Promise.resolve());
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      connection.closed = true;
      leave();
      if (client.isWaiting && !this.#isClosing) handlers.left(connection);
      this.connections.delete(connection.id);
      this.#sockets.delete(socket);
      this.#traffic.bytesIn += socket.bytesRead;
      this.#traffic.bytesOut += socket.bytesWritten;
      if (waiting === 0) this.#work.delete(socket);
    });
    const carryOut = async (before: Promise<void> | undefined, bytes: Buffer): Promise<void> => {
      await before;
      try {
        await respond(client, bytes, handlers.handle);
      } catch {
        socket.destroy();
      }
      waiting -= 1;
      if (waiting === 0 && socket.destroyed) this.#work.delete(socket);
      if (waiting < MAX_WAITING && socket.isPaused()) socket.resume();
    };
    let first = true;
    socket.on('data', (chunk) => {
      if (first && !encrypted && isTls(chunk)) {
        socket.end(NO_TLS);
        return;
      }
      first = false;
      try {
        for (const bytes of framing.push(chunk, handlers.isStranger(connection) ? MAX_GREETING : MAX_WHOLE)) {
          waiting += 1;
          this.#traffic.requests += 1;
          this.#work.set(socket, carryOut(this.#work.get(socket), bytes));
        }
      } catch {
        socket.destroy();
      }
      // Who sends faster than is answered waits.
      if (waiting >= MAX_WAITING) socket.pause();
    });
  }
}

/** Milliseconds that commands have to end which were interrupted. */
const INTERRUPTED = 2000;

/** @returns whether something has ended within some milliseconds */
async function isIn(all: Promise<unknown>, limit: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limit, false);
  });
  const inTime = await Promise.race([all.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

/** Bytes that tell whether a client begins with TLS: with a handshake of some version 3. */
const TLS_BYTES = 2;

function isTls(chunk: Buffer): boolean {
  return chunk[0] === 0x16 && chunk[1] === 0x03;
}

/** The alert `protocol_version`: a client that is answered so ends with an error and does not wait. */
const NO_TLS = Buffer.of(0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 70);

/** Milliseconds that a client has to begin, where connections are encrypted. */
const FIRST_LIMIT = 10_000;

/** Answers a greeting that is not encrypted: the driver tells its user what it says. */
function refusePlain(socket: net.Socket, framing: Framing, chunk: Buffer): void {
  try {
    const [bytes] = framing.push(chunk);
    if (!bytes) return;
    const refused = new DocDbError(141, 'The server takes encrypted connections only: connect with tls=true');
    socket.end(Buffer.concat(writeMessage(readMessage(bytes), refusal(refused))));
  } catch {
    socket.destroy();
  }
}

/** Commands of a connection that wait for the one that runs. */
const MAX_WAITING = 16;

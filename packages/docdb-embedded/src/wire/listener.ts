import net from 'node:net';
import type { Doc } from '../bson/values.ts';
import type { ConnectionState } from '../commands/command.ts';
import { Framing } from './framing.ts';
import { readMessage, writeMessage } from './message.ts';

/** Answers a command; `undefined` closes the connection. */
export type CommandHandler = (connection: ConnectionState, command: Doc) => Promise<Doc | undefined>;

/** Accepts connections and answers their commands, one after the other on each connection. */
export class Listener {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  #connections = 0;

  constructor(handle: CommandHandler) {
    this.#server = net.createServer((socket) => {
      this.#accept(socket, handle);
    });
  }

  /**
   * @param unref whether the process may end while it listens
   * @returns the port
   * @throws the server's error, for example `EADDRINUSE`
   */
  listen(port: number, host: string, unref: boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        if (unref) this.#server.unref();
        resolve((this.#server.address() as net.AddressInfo).port);
      });
    });
  }

  /** Closes all connections and stops listening. */
  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #accept(socket: net.Socket, handle: CommandHandler): void {
    const connection: ConnectionState = { id: ++this.#connections, appName: undefined, closed: false };
    const framing = new Framing();
    let work = Promise.resolve();
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      connection.closed = true;
      this.#sockets.delete(socket);
    });
    socket.on('data', (chunk) => {
      try {
        for (const bytes of framing.push(chunk)) {
          work = work
            .then(() => respond(socket, connection, bytes, handle))
            .catch(() => {
              socket.destroy();
            });
        }
      } catch {
        socket.destroy();
      }
    });
  }
}

async function respond(socket: net.Socket, connection: ConnectionState, bytes: Buffer, handle: CommandHandler): Promise<void> {
  if (socket.destroyed) return;
  const request = readMessage(bytes);
  const answer = await handle(connection, request.command);
  if (answer === undefined) {
    socket.destroy();
    return;
  }
  if (!request.answered || socket.destroyed) return;
  const [header, body] = writeMessage(request, answer);
  socket.cork();
  socket.write(header as Buffer);
  socket.write(body as Buffer);
  socket.uncork();
}

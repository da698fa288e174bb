import type { CloseReason, EventTransport, Message, Subscriber } from '@framework/channels';
import type { Server, Socket } from 'socket.io';
import { PreparedPacket } from './prepared-packet.ts';
import { queueOf } from './write-queue.ts';

/** Event that tells a client its position while it gets no others. Clients remember the last text of any event. */
export const POSITION_EVENT = 'framework:position';

/** Sends events over sockets. Each message is encoded once, however many get it. */
export class SocketTransport implements EventTransport {
  readonly #io: Server;

  constructor(io: Server) {
    this.#io = io;
  }

  send({ name, text, position }: Message, to: readonly Subscriber[]): void {
    const args = [JSON.stringify(name), text];
    if (position !== undefined) args.push(`"${position}"`);
    this.#write(new PreparedPacket(args), to);
  }

  mark(position: string, to: readonly Subscriber[]): void {
    this.#write(new PreparedPacket([`"${POSITION_EVENT}"`, `"${position}"`]), to);
  }

  #write(packet: PreparedPacket, to: readonly Subscriber[]): void {
    const rooms = new Set<string>();
    for (const subscriber of to) {
      if (!(subscriber instanceof SocketSubscriber)) continue;
      rooms.add(subscriber.id);
      subscriber.sent(packet.json.length);
    }
    // Each socket is in the room of its id. Other servers have their own connections.
    this.#io.sockets.adapter.broadcast(packet, { rooms, except: NONE, flags: { local: true } });
  }
}

const NONE: Set<string> = new Set();

/** One socket, to the channels. */
export class SocketSubscriber implements Subscriber {
  readonly connection: object;
  readonly transport: SocketTransport;
  readonly #socket: Socket;
  readonly #maxBuffer: number;
  /** What was sent since nothing was waiting; more than waits now. */
  #sent = 0;

  /** @param maxBuffer bytes from which on it matters how much exactly is waiting */
  constructor(socket: Socket, connection: object, transport: SocketTransport, maxBuffer: number) {
    this.#socket = socket;
    this.connection = connection;
    this.transport = transport;
    this.#maxBuffer = maxBuffer;
  }

  get id(): string {
    return this.#socket.id;
  }

  get queued(): number {
    const queue = queueOf(this.#socket.conn);
    if (queue.isEmpty) this.#sent = 0;
    else if (this.#sent > this.#maxBuffer) this.#sent = queue.bytes;
    return this.#sent;
  }

  /** @param bytes how much was sent */
  sent(bytes: number): void {
    this.#sent = this.queued + bytes;
  }

  whenDrained(callback: () => void): void {
    queueOf(this.#socket.conn).whenReady(callback);
  }

  /** The client takes it for a lost connection, and comes back. */
  close(_reason: CloseReason): void {
    this.#socket.conn.close(true);
  }
}

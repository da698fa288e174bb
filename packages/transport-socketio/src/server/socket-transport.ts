import type { CloseReason, EventTransport, Message, Subscriber } from '@framework/channels';
import type { Socket } from 'socket.io';
import { EncodedEvent, type Encoder } from './encoded-event.ts';
import { WriteQueue } from './write-queue.ts';

/** Event that tells a client its position while it gets no others. Clients remember the last text of any event. */
export const POSITION_EVENT = 'framework:position';

/** Sends events over sockets. Each message is encoded once, however many get it. */
export class SocketTransport implements EventTransport {
  readonly #encoder: Encoder | undefined;

  /** @param encoder that of the application's own parser, where it has one */
  constructor(encoder: Encoder | undefined) {
    this.#encoder = encoder;
  }

  send({ name, text, position }: Message, to: readonly Subscriber[]): void {
    const args = [JSON.stringify(name), text];
    if (position !== undefined) args.push(`"${position}"`);
    this.#write(args, to);
  }

  mark(position: string, to: readonly Subscriber[]): void {
    this.#write([`"${POSITION_EVENT}"`, `"${position}"`], to);
  }

  #write(args: readonly string[], to: readonly Subscriber[]): void {
    const event = new EncodedEvent(args, this.#encoder);
    const errors: unknown[] = [];
    for (const subscriber of to) {
      try {
        if (subscriber instanceof SocketSubscriber) subscriber.write(event);
      } catch (error) {
        errors.push(error);
      }
    }
    // One listener of the application to what goes out, or several.
    if (errors.length > 0) throw errors[0];
  }
}

/** One socket, to the channels. */
export class SocketSubscriber implements Subscriber {
  readonly connection: object;
  readonly transport: SocketTransport;
  readonly #socket: Socket;
  readonly #queue: WriteQueue;
  readonly #maxBuffer: number;
  /** What was sent since nothing was waiting; more than waits now. */
  #sent = 0;

  /** @param maxBuffer bytes from which on it matters how much exactly is waiting */
  constructor(socket: Socket, connection: object, transport: SocketTransport, maxBuffer: number) {
    this.#socket = socket;
    this.#queue = new WriteQueue(socket.conn);
    this.connection = connection;
    this.transport = transport;
    this.#maxBuffer = maxBuffer;
  }

  get queued(): number {
    if (this.#queue.isEmpty) this.#sent = 0;
    else if (this.#sent > this.#maxBuffer) this.#sent = this.#queue.bytes;
    return this.#sent;
  }

  write(event: EncodedEvent): void {
    const socket = this.#socket;
    if (!socket.connected) return;
    this.#sent += event.length;
    try {
      for (const listener of socket.listenersAnyOutgoing()) listener.apply(socket, event.args());
    } finally {
      for (const part of event.parts) socket.conn.write(part, event.options);
    }
  }

  whenDrained(callback: () => void): void {
    this.#queue.whenReady(callback);
  }

  /** The client takes it for a lost connection, and comes back. */
  close(_reason: CloseReason): void {
    this.#socket.conn.close(true);
  }
}

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CloseReason, EventTransport, Message, Subscriber } from '@framework/channels';
import { eventText, PING } from './stream-text.ts';

/** Milliseconds that a client has to read what was sent before its stream ends. */
const LAST_WORDS = 500;

/**
 * Headers of a stream. Nobody on the way may keep it, gather it up (`X-Accel-Buffering` for nginx) or compress it (`no-transform`, for
 * middleware too): events would come late, or all at once.
 */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Begins the answer to a request for a stream. It ends with its connection: without chunks around them, events are written as they are, in
 * one piece where it would be four.
 */
export function writeStreamHead(res: ServerResponse): void {
  res.useChunkedEncodingByDefault = false;
  res.writeHead(200, HEADERS);
}

/** Sends events over streams. Each is made ready once: all clients get the same bytes. */
export class StreamTransport implements EventTransport {
  send({ name, text, position }: Message, to: readonly Subscriber[]): void {
    writeAll({ name, data: text, id: position }, to);
  }

  /** As an event: some clients forget an id that comes without one. */
  mark(position: string, to: readonly Subscriber[]): void {
    writeAll({ name: 'position', data: '', id: position }, to);
  }
}

function writeAll(event: Parameters<typeof eventText>[0], to: readonly Subscriber[]): void {
  const bytes = Buffer.from(eventText(event));
  for (const stream of to) if (stream instanceof EventStream) stream.write(bytes);
}

/** One stream, to the channels. What is written before {@link start} waits for it. */
export class EventStream implements Subscriber {
  /** What calls over REST name the stream by. Whoever knows it can log the stream in and out. */
  readonly id: string = randomBytes(24).toString('base64url');
  readonly connection: object;
  readonly transport: StreamTransport;
  readonly #res: ServerResponse;
  #waiting: Buffer[] | undefined = [];
  #drained: (() => void) | undefined;

  constructor(res: ServerResponse, connection: object, transport: StreamTransport) {
    this.#res = res;
    this.connection = connection;
    this.transport = transport;
  }

  get queued(): number {
    return this.#res.writableLength;
  }

  /** Begins to send. */
  start(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    writeStreamHead(this.#res);
    this.write(Buffer.concat(waiting));
  }

  write(bytes: Buffer): void {
    if (this.#waiting) this.#waiting.push(bytes);
    else if (!this.#res.writableEnded && !this.#res.destroyed) this.#res.write(bytes);
  }

  /** Shows that the connection lives, unless more is on its way already. */
  ping(): void {
    if (this.queued === 0) this.write(PING);
  }

  whenDrained(callback: () => void): void {
    const waits = this.#drained !== undefined;
    this.#drained = callback;
    if (waits) return;
    const drained = (): void => {
      const call = this.#drained;
      this.#drained = undefined;
      call?.();
    };
    if (this.#res.writableNeedDrain) this.#res.once('drain', drained);
    // Little is on its way, and still more than is to be: this goes behind it.
    else this.#res.write(PING, drained);
  }

  close(_reason: CloseReason): void {
    const { socket, req } = this.#res;
    this.#res.destroy();
    // One that waits behind another answer has no connection yet, and would end when it gets it.
    if (!socket) req.socket.destroy();
  }

  /** Ends the stream, with what was sent before if the client reads it soon. */
  end(): void {
    const res = this.#res;
    if (res.destroyed) return;
    if (!res.headersSent) writeStreamHead(res);
    this.#waiting = undefined;
    const timer = setTimeout(() => res.destroy(), LAST_WORDS).unref();
    res.end(() => {
      clearTimeout(timer);
    });
  }
}

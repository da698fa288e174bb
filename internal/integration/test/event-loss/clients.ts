import { get, type IncomingMessage } from 'node:http';
import type { Random } from '@framework-internal/random';
import { io, type Socket } from 'socket.io-client';

/** What a client got: numbers in the order in which they came, and `reset` where it was told that it has to read again. */
export type Got = (number | 'reset')[];

/** A client that listens to any of several processes, and comes back to any when its connection ends. */
export interface Client {
  readonly got: Got;
  /** How often it has been connected. */
  readonly opened: number;
  cut(): void;
  stop(): void;
}

/** What clients choose from. */
export interface Choice {
  readonly random: Random;
  readonly ports: readonly number[];
}

/** Reads a stream. */
export class StreamClient implements Client {
  readonly got: Got = [];
  opened = 0;
  readonly #choice: Choice;
  #id: string | undefined;
  #response: IncomingMessage | undefined;
  #stopped = false;

  constructor(choice: Choice) {
    this.#choice = choice;
    this.#open();
  }

  cut(): void {
    this.#response?.destroy();
  }

  stop(): void {
    this.#stopped = true;
    this.cut();
  }

  #open(): void {
    if (this.#stopped) return;
    const again = (): void => void setTimeout(() => this.#open(), 10);
    const request = get({
      port: this.#choice.random.pick(this.#choice.ports),
      path: '/events',
      agent: false,
      headers: this.#id === undefined ? {} : { 'last-event-id': this.#id },
    });
    request.once('error', again);
    request.once('response', (response) => {
      request.off('error', again).on('error', () => undefined);
      this.#response = response;
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() as string;
        blocks.forEach((block) => this.#take(block));
      });
      response.on('error', () => undefined).once('close', again);
    });
  }

  #take(block: string): void {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
    if (fields.event === 'connection') this.opened += 1;
    if (fields.event === 'reset') this.got.push('reset');
    if (fields.event === 'messages created') this.got.push(JSON.parse(fields.data).number);
    this.#id = fields.id ?? this.#id;
  }
}

/** Listens over a socket. */
export class SocketClient implements Client {
  readonly got: Got = [];
  opened = 0;
  readonly #socket: Socket;

  constructor({ random, ports }: Choice) {
    const url = (): string => `http://127.0.0.1:${random.pick(ports)}`;
    const times = { reconnectionDelay: 5, reconnectionDelayMax: 20 };
    this.#socket = io(url(), { transports: ['websocket'], forceNew: true, ...times });
    // Behind a balancer it would be another process each time, under one address.
    const manager = this.#socket.io as unknown as { uri: string };
    this.#socket.io.on('reconnect_attempt', () => (manager.uri = url()));
    this.#socket.on('connect', () => {
      if (this.opened > 0 && !this.#socket.recovered) this.got.push('reset');
      this.opened += 1;
    });
    this.#socket.on('messages created', ({ number }: { readonly number: number }) => this.got.push(number));
  }

  cut(): void {
    if (this.#socket.connected) this.#socket.io.engine.close();
  }

  stop(): void {
    this.#socket.disconnect();
  }
}

/** Streams and sockets, half of each. */
export function listen(count: number, choice: Choice): Client[] {
  return Array.from({ length: count }, (_, index) => (index % 2 ? new SocketClient(choice) : new StreamClient(choice)));
}

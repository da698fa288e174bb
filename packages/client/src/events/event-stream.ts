import type { LoginHeaders } from '../authentication/authentication-types.ts';
import { Emitter } from './emitter.ts';
import type { AnyService } from '../service/service.ts';
import { eventQueue, type QueuedEvent } from './event-queue.ts';
import type { EventHost, Events, EventTools } from './events.ts';

/** What a connection tells of what it receives. */
export interface EventListener {
  /** An event of a service: `messages created`, and the record. */
  event(name: string, data: unknown): void;
  /** The stream of events stands. */
  connect(): void;
  /** It was cut, and is being made again. */
  disconnect(): void;
  /** Events were missed: what is shown has to be read again. */
  reset(): void;
  /** It can not be made, and nobody tries any more until it is asked for again. */
  error(error: Error): void;
  /** Headers that log the stream in; asked for each time that it is made. */
  headers(): Promise<LoginHeaders>;
  /** @returns whether there is a new login in place of one that was refused */
  isReplaced(refused: LoginHeaders): Promise<boolean>;
}

/** How events are received. */
export interface EventConnection {
  /** Makes the connection again, where it is one that is logged in and out itself: that is of use only for what another tab has done. */
  readonly remake?: () => void;
  /**
   * Begins to receive.
   *
   * @returns ends it
   */
  open(listener: EventListener): () => void;
}

/** Takes all events, until it is told of the end. */
interface Tap {
  readonly tell: (name: string, data: unknown) => void;
  readonly end: () => void;
}

/** The events of all services over one connection, which is open while somebody listens. */
export class EventStream implements Events {
  readonly #connection: EventConnection;
  readonly #host: EventHost;
  readonly #emitter = new Emitter();
  readonly #taps = new Set<Tap>();
  /** What stands for listeners for one event, by these, by the names of events. */
  readonly #onces = new Map<string, Map<unknown, (data: unknown) => void>>();
  #end: (() => void) | undefined;
  #isClosed = false;

  constructor(connection: EventConnection, host: EventHost) {
    this.#connection = connection;
    this.#host = host;
  }

  of(location: string, service: AnyService): EventTools {
    // Events of the service at the root have its slash.
    const path = location || '/';
    const on: EventTools['on'] = (event, listener) => {
      this.#emitter.on(`${path} ${event}`, listener);
      this.#open();
      return service;
    };
    const off: EventTools['off'] = (event, listener) => {
      const name = `${path} ${event}`;
      const onces = this.#onces.get(name);
      const first = onces?.get(listener);
      this.#emitter.off(name, listener);
      if (first) this.#emitter.off(name, first);
      onces?.delete(listener);
      if (!listener || !onces?.size) this.#onces.delete(name);
      this.#closeUnused();
      return service;
    };
    const once: EventTools['once'] = (event, listener) => {
      const name = `${path} ${event}`;
      const onces = this.#onces.get(name) ?? new Map<unknown, (data: unknown) => void>();
      // As with 'on', a listener is there once: another one that stands for it could not be taken away.
      if (onces.has(listener)) return service;
      const first = (data: unknown): void => {
        this.#emitter.off(name, first);
        if (onces.get(listener) === first) onces.delete(listener);
        this.#closeUnused();
        listener(data);
      };
      this.#onces.set(name, onces.set(listener, first));
      return on(event, first);
    };
    return {
      on,
      off,
      once,
      events: ({ signal, buffer = 1000 } = {}) => eventQueue(buffer, (add, end) => this.#tap(path, add, end), signal),
    };
  }

  #tap(path: string, add: (event: QueuedEvent) => void, end: () => void): () => void {
    const tell: Tap['tell'] = (name, data) => {
      // Paths may have blanks: the last one is in front of the event.
      const end = name.lastIndexOf(' ');
      if (name === 'reset') add({ type: name });
      else if (name.slice(0, end) === path) add({ type: name.slice(end + 1), data });
    };
    const tap: Tap = { tell, end };
    if (this.#isClosed) end();
    this.#taps.add(tap);
    this.#open();
    return () => {
      this.#taps.delete(tap);
      this.#closeUnused();
    };
  }

  /** Comes back as whoever is logged in now, and goes on where it was. */
  restart(result: unknown): void {
    const { remake } = this.#connection;
    if (remake) {
      if (result === undefined) remake();
      return;
    }
    if (this.#isUnused) return;
    this.#stop();
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    for (const { end } of this.#taps) end();
  }

  get #isUnused(): boolean {
    return this.#emitter.size === 0 && this.#taps.size === 0;
  }

  #open(): void {
    if (this.#end || this.#isClosed) return;
    const { headers, isReplaced, emit } = this.#host;
    this.#end = this.#connection.open({
      event: (name, data) => {
        this.#emitter.emit(name, data);
        this.#tell(name, data);
      },
      connect: () => emit('connect'),
      disconnect: () => emit('disconnect'),
      reset: () => {
        emit('reset');
        this.#tell('reset', undefined);
      },
      error: (error) => {
        this.#end = undefined;
        emit('eventError', error);
      },
      headers,
      isReplaced,
    });
  }

  #tell(name: string, data: unknown): void {
    for (const { tell } of [...this.#taps]) tell(name, data);
  }

  #closeUnused(): void {
    if (this.#isUnused) this.#stop();
  }

  #stop(): void {
    this.#end?.();
    this.#end = undefined;
  }
}

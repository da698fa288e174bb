import type net from 'node:net';
import { inspect } from 'node:util';
import { closeServer, type ServerClosing } from './server-closing.ts';
import { TimeLimit } from './time-limit.ts';

/** Milliseconds until open connections are cut, unless the caller of `close` says otherwise. */
export const CLOSE_TIMEOUT = 10_000;
/** Milliseconds after which nobody waits any more for a server whose connections were cut. */
const CUT_TIMEOUT = 1000;

/** Options of `app.close`. */
export interface CloseOptions {
  /** Milliseconds until open connections are cut. Default: 10,000. A later call can shorten it. */
  readonly timeout?: number;
}

/** What listeners of the application's event `closing` get. */
export interface Closing {
  /** Aborted when the time is over and open connections are cut. */
  readonly signal: AbortSignal;
}

/** A listener of the application's event `closing`; a promise that it returns is waited for. */
export type ClosingListener = ((closing: Closing) => void) | ((closing: Closing) => Promise<unknown>);

/** What an {@link Ending} ends. */
export interface EndingParts {
  /** The servers of the application, at this moment. */
  servers(): readonly net.Server[];
  /** Settles when nothing is starting any more. */
  started(): Promise<unknown>;
  /** Listeners of the event `closing`; they may return promises. */
  listeners(): readonly ClosingListener[];
  /** Tears the services down. */
  tearDown(): Promise<unknown>;
  /** The last step, which comes to call {@link Ending.tearDown}. */
  last(ending: Ending): Promise<unknown>;
}

/** The one end of an application, in this order: accept nothing new, answer, end what is upgraded or endless, cut the rest, tear down. */
export class Ending {
  readonly limit: TimeLimit;
  /** Settles when all is done. */
  readonly done: Promise<void>;
  #parts: EndingParts | undefined;
  #tearingDown = false;
  #tornDown: Promise<unknown> | undefined;

  constructor(parts: EndingParts, timeout: number = CLOSE_TIMEOUT) {
    this.#parts = parts;
    this.limit = new TimeLimit(timeout);
    this.done = this.#run(parts).finally(() => {
      // What has ended may be forgotten.
      this.#parts = undefined;
    });
  }

  /** Whether it is done. */
  get over(): boolean {
    return this.#parts === undefined;
  }

  /** Whether it has come to its last step. */
  get tearingDown(): boolean {
    return this.#tearingDown;
  }

  /** Tears the services down, once. */
  tearDown(): Promise<unknown> {
    return (this.#tornDown ??= this.#parts?.tearDown() ?? Promise.resolve());
  }

  async #run(parts: EndingParts): Promise<void> {
    const { limit } = this;
    // Those that listen stop at once; one that is just starting is found when it has started.
    closingsOf(parts);
    await limit.within('whole', parts.started());
    const closings = closingsOf(parts);
    await limit.within('half', Promise.all(closings.map(({ answering }) => answering)));
    const listeners = Promise.all(parts.listeners().map((listener) => this.#call(listener)));
    const closed = Promise.all(closings.map((closing) => closing.closed));
    await limit.within('whole', Promise.all([listeners, closed]));
    limit.stop();
    for (const closing of closings) closing.force();
    const cut = new TimeLimit(CUT_TIMEOUT);
    await cut.within('whole', closed);
    cut.stop();
    this.#tearingDown = true;
    await parts.last(this);
  }

  /** What a listener does wrong does not keep the application from its end. */
  async #call(listener: ClosingListener): Promise<void> {
    try {
      await listener({ signal: this.limit.signal });
    } catch (error) {
      process.emitWarning("A listener of the application's event 'closing' failed", { detail: inspect(error) });
    }
  }
}

function closingsOf(parts: EndingParts): ServerClosing[] {
  return parts.servers().map(closeServer);
}

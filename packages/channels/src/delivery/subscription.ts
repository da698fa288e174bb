import { compareOrder, type Order } from '../log/position.ts';
import { Absence } from './absence.ts';
import type { Subscriber } from './subscriber.ts';

/** What a connection that has come back is still to get. */
export interface Resume {
  /** Everything up to here it had; what it is told stays here until it has caught up. */
  readonly low: Order;
  /** Number of that place in the window. */
  readonly number: number;
  /** What it has got of what stands behind, by channel. */
  readonly ahead: Map<string, Order>;
  /** Marks of the channels that it is served now, all of them up to {@link high}. */
  marks: ReadonlySet<string>;
  high: Order;
  /** Whether the time for that is over: it ends with what is served now. */
  isOver: boolean;
}

/**
 * How events come to a connection: `live` as they are published; `behind` from the window, at the client's pace; `holding` not yet, because
 * who it is and what it may see is not settled.
 */
export type Phase = 'holding' | 'behind' | 'live' | 'closed';

/** One connection as the hub knows it. */
export class Subscription {
  readonly subscriber: Subscriber;
  phase: Phase = 'live';
  /** Number of the last entry that was dealt with; counts while the connection is not live. */
  cursor = 0;
  loggedIn = false;
  /** Whether it waits for a login that it had before. */
  awaitsLogin = false;
  resume: Resume | undefined;
  /** What is not for it of what it is sent while it lags behind. */
  readonly absence: Absence = new Absence();
  /** Place that its client has come to elsewhere, where this process has not read so far: all in front of it was sent there, or is told to be missed. */
  from: Order | undefined;
  /** Ends the phase it is in, or the time in which it can catch up. */
  #timer: NodeJS.Timeout | undefined;
  #lag: NodeJS.Timeout | undefined;

  constructor(subscriber: Subscriber) {
    this.subscriber = subscriber;
  }

  /** @returns whether its client has come to a place elsewhere */
  hasLeft(order: Order): boolean {
    if (this.from && compareOrder(order, this.from) <= 0) return true;
    this.from = undefined;
    return false;
  }

  /** Runs a function after a time, in place of the one that was to run. */
  after(milliseconds: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, milliseconds).unref();
  }

  /** Counts the time that it lags behind, from now on if it did not yet. */
  lagging(milliseconds: number, tooLong: () => void): void {
    this.#lag ??= setTimeout(tooLong, milliseconds).unref();
  }

  /** Notes a change of its channels. What has come back is sent what it missed, also in channels that it joins as long as it may catch up. */
  noteChange(channel: string, change: 'joined' | 'left', newest: number): void {
    if (this.phase !== 'behind') return;
    if (change === 'left') this.absence.left(channel, newest);
    else if (this.resume?.isOver === false) this.absence.forget(channel);
    else this.absence.joined(channel, newest);
  }

  caughtUp(): void {
    this.phase = 'live';
    this.absence.clear();
    if (this.resume?.isOver) this.resume = undefined;
    clearTimeout(this.#lag);
    this.#lag = undefined;
  }

  end(): void {
    this.phase = 'closed';
    this.resume = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#lag);
  }
}

import { Queue } from './queue.ts';

/** Entries of a channel by their numbers in the window: behind the first, up to the last. */
interface Range {
  behind: number;
  to: number;
}

/**
 * Which entries were published while a connection was not in their channel. One that lags behind is sent them from the window, by the channels that it is in
 * by then: it is to get no more than one that reads at once.
 */
export class Absence {
  /** By channel, in their order. */
  readonly #ranges = new Map<string, Queue<Range>>();

  /** @param newest number of the newest entry */
  left(channel: string, newest: number): void {
    this.#begin(channel, newest).to = Infinity;
  }

  /** @param newest number of the newest entry */
  joined(channel: string, newest: number): void {
    const last = this.#lastOf(channel);
    (last?.to === Infinity ? last : this.#begin(channel, 0)).to = newest;
  }

  /** Takes a connection for one that has always been in a channel. */
  forget(channel: string): void {
    this.#ranges.delete(channel);
  }

  clear(): void {
    this.#ranges.clear();
  }

  /** @param number of an entry that is for the channel */
  has(channel: string, number: number): boolean {
    const ranges = this.#ranges.get(channel);
    // It may be taken in and out very often.
    const range = ranges?.at(ranges.countBefore(({ behind }) => behind >= number) - 1);
    return range !== undefined && number <= range.to;
  }

  #begin(channel: string, behind: number): Range {
    const last = this.#lastOf(channel);
    // Nothing came in the last one.
    if (last && last.behind === last.to) return Object.assign(last, { behind });
    const ranges = this.#ranges.get(channel) ?? new Queue<Range>();
    const range = { behind, to: behind };
    ranges.push(range);
    this.#ranges.set(channel, ranges);
    return range;
  }

  #lastOf(channel: string): Range | undefined {
    const ranges = this.#ranges.get(channel);
    return ranges?.at(ranges.length - 1);
  }
}

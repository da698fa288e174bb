/** Entries of a channel by their numbers in the window: behind the first, up to the last. */
interface Range {
  readonly behind: number;
  to: number;
}

/**
 * Which entries were published while a connection was not in their channel. One that lags behind is sent them from the window, by the channels that it is in
 * by then: it is to get no more than one that reads at once.
 */
export class Absence {
  readonly #ranges = new Map<string, Range[]>();

  /** @param newest number of the newest entry */
  left(channel: string, newest: number): void {
    this.#rangesOf(channel).push({ behind: newest, to: Infinity });
  }

  /** @param newest number of the newest entry */
  joined(channel: string, newest: number): void {
    const ranges = this.#rangesOf(channel);
    const last = ranges.at(-1);
    if (last?.to !== Infinity) ranges.push({ behind: 0, to: newest });
    // Nothing came while it was away.
    else if (last.behind === newest) ranges.pop();
    else last.to = newest;
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
    return this.#ranges.get(channel)?.some(({ behind, to }) => number > behind && number <= to) ?? false;
  }

  #rangesOf(channel: string): Range[] {
    const known = this.#ranges.get(channel);
    if (known) return known;
    const ranges: Range[] = [];
    this.#ranges.set(channel, ranges);
    return ranges;
  }
}

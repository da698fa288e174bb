import type { LogEntry } from './event-log.ts';

/** Entries of one write, about. */
const MOST_ENTRIES = 1000;

/** Entries that wait to be stored, and who waits for that. */
interface Waiting {
  readonly entries: readonly LogEntry[];
  resolve(): void;
  reject(error: unknown): void;
}

/** Gathers entries, and stores them one write after the other: two at a time could change places. */
export class Gathering {
  readonly #milliseconds: number | undefined;
  readonly #store: (entries: readonly LogEntry[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #busy: Promise<void> | undefined;

  /**
   * @param milliseconds how long entries wait for others; `undefined` stores each at once
   * @param store stores them, in their order
   */
  constructor(milliseconds: number | undefined, store: (entries: readonly LogEntry[]) => Promise<void>) {
    this.#milliseconds = milliseconds;
    this.#store = store;
  }

  /** Settles when nothing is waiting. */
  get idle(): Promise<void> {
    return this.#busy ?? Promise.resolve();
  }

  /**
   * Adds entries.
   *
   * @returns settles when they are stored
   * @throws what keeps them from it, as a rejection
   */
  add(entries: readonly LogEntry[]): Promise<void> {
    if (this.#milliseconds === undefined) return this.#store(entries);
    const stored = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ entries, resolve, reject });
    });
    this.#busy ??= this.#work(this.#milliseconds);
    return stored;
  }

  async #work(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_ENTRIES);
      try {
        await this.#store(batch.flatMap(({ entries }) => entries));
        for (const waiting of batch) waiting.resolve();
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    this.#busy = undefined;
  }
}

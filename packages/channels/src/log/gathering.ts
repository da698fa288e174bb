import { bytesOf } from './event-entry.ts';
import type { LogEntry } from './event-log.ts';

/** Entries of one write, about. */
const MOST_ENTRIES = 1000;
/** Bytes that an entry takes beside its payloads, about. */
const ENTRY = 200;

/** Entries that wait to be stored, and who waits for that. */
interface Waiting {
  readonly entries: readonly LogEntry[];
  readonly bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** How entries are gathered. */
export interface GatheringSettings {
  /** How long entries wait for others; `undefined` stores each at once. */
  readonly milliseconds: number | undefined;
  /** Bytes that may wait, where the log takes them slower than they come, or not at all. */
  readonly maxBytes: number;
}

/** Gathers entries, and stores them one write after the other: two at a time could change places. */
export class Gathering {
  readonly #settings: GatheringSettings;
  readonly #store: (entries: readonly LogEntry[]) => Promise<void>;
  #waiting: Waiting[] = [];
  /** What is being stored. */
  #batch: readonly Waiting[] = [];
  #bytes = 0;
  #busy: Promise<void> | undefined;

  /** @param store stores entries, in their order */
  constructor(settings: GatheringSettings, store: (entries: readonly LogEntry[]) => Promise<void>) {
    this.#settings = settings;
    this.#store = store;
  }

  /**
   * Adds entries.
   *
   * @returns settles when they are stored
   * @throws what keeps them from it, as a rejection; Error when too much waits already
   */
  async add(entries: readonly LogEntry[]): Promise<void> {
    const { milliseconds, maxBytes } = this.#settings;
    if (milliseconds === undefined) return this.#store(entries);
    const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry) + ENTRY, 0);
    if (this.#bytes > 0 && this.#bytes + bytes > maxBytes) {
      throw new Error(
        `The log does not take events as fast as they come: more than ${maxBytes} bytes of them wait ('window.bytes' of channels()), and nobody gets this one`,
      );
    }
    this.#bytes += bytes;
    const stored = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ entries, bytes, resolve, reject });
    });
    this.#busy ??= this.#work(milliseconds);
    return stored;
  }

  /** Waits until all is stored; what is not when it is `late` is given up, and who waits for it is told. */
  async end(late: Promise<void>): Promise<void> {
    if (!this.#busy) return;
    await Promise.race([this.#busy, late]);
    const error = new Error('The application was closed before the log had taken the event: nobody may have got it');
    const left = this.#waiting.splice(0);
    for (const waiting of [...this.#batch, ...left]) waiting.reject(error);
    this.#batch = [];
    this.#bytes -= bytesIn(left);
  }

  async #work(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_ENTRIES);
      this.#batch = batch;
      await this.#storeAll(batch);
      this.#batch = [];
      this.#bytes -= bytesIn(batch);
    }
    this.#busy = undefined;
  }

  /** One that is refused, for its size for example, is not to take the others along: each is tried by itself then. */
  async #storeAll(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#store(batch.flatMap(({ entries }) => entries));
      for (const waiting of batch) waiting.resolve();
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // The database may be closed by the time that they are given up, and would be opened again.
      else for (const waiting of batch) if (this.#batch === batch) await this.#storeAll([waiting]);
    }
  }
}

function bytesIn(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { bytes }) => sum + bytes, 0);
}

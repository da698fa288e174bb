import { randomBytes } from 'node:crypto';
import type { EventLog, LogEntry, LogReader } from './event-log.ts';
import type { Order } from './position.ts';

/** A log for one process. It keeps nothing: what is kept for clients that come back is the window of {@link ChannelsOptions}. */
export class MemoryEventLog implements EventLog {
  /** Another one for each start of the process: positions of before are told to be unknown. */
  readonly epoch: string = randomBytes(8).readBigUInt64BE().toString(36);
  #count = 0;
  #reader: LogReader | undefined;
  readonly #untold: LogEntry[] = [];
  #isTelling = false;

  get latest(): Order {
    return [this.#count];
  }

  append(entries: readonly LogEntry[]): Promise<void> {
    this.#untold.push(...entries);
    // What a filter emits, or a listener to what is sent, while they are asked about an entry, comes behind that for everybody.
    if (!this.#isTelling) this.#tell();
    return Promise.resolve();
  }

  #tell(): void {
    this.#isTelling = true;
    try {
      for (let entry = this.#untold.shift(); entry; entry = this.#untold.shift()) {
        this.#count += 1;
        this.#reader?.entry(entry, [this.#count]);
      }
    } finally {
      this.#isTelling = false;
    }
  }

  read(reader: LogReader): () => void {
    if (this.#reader) throw new Error('The log is read already: give each application a log of its own');
    this.#reader = reader;
    return () => {
      this.#reader = undefined;
    };
  }
}

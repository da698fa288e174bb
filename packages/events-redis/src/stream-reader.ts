import { compareIds, entriesOf, idText, readEntriesOf, type RedisClient, type StreamEntry, type StreamId } from './redis-client.ts';

/** Entries of one answer. */
const BATCH = 500;
/** Milliseconds that Redis waits for entries before it answers that there are none. */
const BLOCK = 5000;
/** Milliseconds before it is tried again when Redis can not be reached. */
const RETRY = 200;

/** What a {@link StreamReader} tells. */
export interface StreamListener {
  entry(entry: StreamEntry): void;
  /** Entries are told from a place on; what was before is not known. */
  began(at: { readonly place: StreamId; readonly epoch: string }): void;
  /** @returns which stream it is: another one when Redis has forgotten it */
  epoch(): Promise<string>;
}

/** Reads a stream over a connection of its own, from a place on, and notices when it has missed something. */
export class StreamReader {
  readonly #client: RedisClient;
  readonly #source: RedisClient;
  readonly #key: string;
  readonly #listener: StreamListener;
  #place: StreamId = [0, 0];
  /** The stream has to reach back to here, or something is missed. */
  #anchor: StreamId = [0, 0];
  #epoch = '';
  #stopped = false;
  #wake: () => void = () => undefined;
  #working: Promise<void> | undefined;

  /** @param client its settings are used, and it asks what does not wait */
  constructor(client: RedisClient, key: string, listener: StreamListener) {
    this.#source = client;
    this.#client = client.duplicate();
    // What the reading connection fails with shows where it is used.
    this.#client.on('error', () => undefined);
    this.#key = key;
    this.#listener = listener;
  }

  /** @param from where the first entries are; later where the stream does not reach back so far */
  async start(from: StreamId, epoch: string): Promise<void> {
    await this.#client.connect();
    await this.#begin(from, epoch);
    this.#working = this.#work();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    if (this.#client.isOpen) this.#client.destroy();
    await this.#working;
  }

  async #begin(from: StreamId, epoch: string): Promise<void> {
    const oldest = await this.#oldest();
    const isYoung = oldest !== undefined && compareIds(oldest, from) > 0;
    this.#place = isYoung ? before(oldest) : from;
    this.#anchor = isYoung ? oldest : from;
    this.#epoch = epoch;
    this.#listener.began({ place: this.#place, epoch });
  }

  async #work(): Promise<void> {
    let check = false;
    while (!this.#stopped) {
      try {
        if (check) await this.#look();
        check = false;
        const command = ['XREAD', 'COUNT', String(BATCH), 'BLOCK', String(BLOCK), 'STREAMS', this.#key, idText(this.#place)];
        const entries = readEntriesOf(await this.#client.sendCommand(command));
        // Where many come at once some may be gone already.
        if (entries.length === BATCH) await this.#look();
        for (const entry of entries) {
          if (compareIds(entry.id, this.#place) <= 0) continue;
          this.#listener.entry(entry);
          this.#place = entry.id;
          this.#anchor = entry.id;
        }
      } catch {
        check = true;
        await this.#pause();
      }
    }
  }

  /** Looks whether the stream is still the same, and reaches back to where this process is. If not, it begins anew with what comes. */
  async #look(): Promise<void> {
    const epoch = await this.#listener.epoch();
    const oldest = await this.#oldest();
    if (epoch === this.#epoch && oldest !== undefined && compareIds(oldest, this.#anchor) <= 0) return;
    const newest = entriesOf(await this.#source.sendCommand(['XREVRANGE', this.#key, '+', '-', 'COUNT', '1']))[0];
    this.#place = newest?.id ?? [0, 0];
    this.#anchor = this.#place;
    this.#epoch = epoch;
    this.#listener.began({ place: this.#place, epoch });
  }

  async #oldest(): Promise<StreamId | undefined> {
    return entriesOf(await this.#source.sendCommand(['XRANGE', this.#key, '-', '+', 'COUNT', '1']))[0]?.id;
  }

  #pause(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, RETRY).unref();
    });
  }
}

/** @returns the place right in front of an entry */
function before([milliseconds, sequence]: StreamId): StreamId {
  return sequence > 0 ? [milliseconds, sequence - 1] : [milliseconds - 1, Number.MAX_SAFE_INTEGER];
}

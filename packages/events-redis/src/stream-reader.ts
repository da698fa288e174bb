import { readEpoch } from './read-entries.ts';
import {
  compareIds,
  entriesOf,
  idText,
  isOfFollower,
  isRefusal,
  isUntrusted,
  messageOf,
  readEntriesOf,
  type RedisClient,
  type StreamEntry,
  type StreamId,
} from './redis-client.ts';

/** Entries of one answer. */
const BATCH = 500;
/** Milliseconds that Redis waits for entries before it answers that there are none. */
const BLOCK = 5000;
/** Milliseconds after which a connection is taken for dead that was to have answered by then. */
const DEAD = 2 * BLOCK;
/** Milliseconds before it is tried again when Redis can not be reached. */
export const RETRY = 200;

/** What a {@link StreamReader} tells. */
export interface StreamListener {
  entry(entry: StreamEntry): void;
  /** Entries are told from a place on; what was before is not known. */
  began(at: Beginning): void;
  /** All that there is was told. */
  idle(): void;
  /** @returns which stream it is: another one when Redis has forgotten it */
  epoch(ask: Ask): Promise<string>;
  /** Tells all processes that Redis has forgotten what was read. @returns which stream it is from now on */
  forgot(ask: Ask, epoch: string): Promise<string>;
  /** The stream that is being read can not be read at present; called once for each reason until it can. */
  failed(error: unknown): void;
}

/** Where a stream is read from. */
export interface Beginning {
  readonly place: StreamId;
  readonly epoch: string;
  /** Whether something else was read before. */
  readonly isAnew: boolean;
  /** What is at the place and not told. */
  readonly untold?: StreamEntry | undefined;
}

/** Sends a command and gives the answer. */
export type Ask = (command: string[]) => Promise<unknown>;

/** Which stream is read. */
export interface Stream {
  readonly key: string;
  /** Entries that it keeps at least. */
  readonly keep: number;
}

/** Reads a stream over a connection of its own, from a place on, and notices when it has missed something. */
export class StreamReader {
  readonly #client: RedisClient;
  readonly #stream: Stream;
  readonly #listener: StreamListener;
  #place: StreamId = [0, 0];
  /** Whether the place is that of an entry that was told. */
  #isTold = false;
  /** The last that this process has stored and Redis has taken since it reads from where it began. */
  #stored: StreamId = [0, 0];
  /** The stream has to reach back to here, or something is missed. */
  #anchor: StreamId = [0, 0];
  #epoch = '';
  #stopped = false;
  #wake: () => void = () => undefined;
  /** What the connection has failed with last. */
  #failure: unknown;
  #isReading = false;
  /** Texts of failures that were told since it could be read last. */
  readonly #told = new Set<string>();
  #refuse: (error: unknown) => void = () => undefined;
  /** Rejects with what Redis refuses, of the connection or of what is asked over it, with what no connection can be trusted for, and once it is stopped. */
  readonly refused: Promise<never>;

  /** @param client its settings are used */
  constructor(client: RedisClient, stream: Stream, listener: StreamListener) {
    this.#client = client.duplicate();
    this.refused = new Promise((_resolve, reject) => {
      this.#refuse = reject;
    });
    // Who starts it listens; afterwards it is tried again.
    this.refused.catch(() => undefined);
    this.#client.on('error', (error) => {
      this.#failedWith(error);
    });
    this.#stream = stream;
    this.#listener = listener;
  }

  /** What the connection has failed with last; `undefined` for nothing. */
  get failure(): unknown {
    return this.#failure;
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  /** @param from where the first entries are; later where the stream does not reach back so far */
  async start(from: StreamId, epoch: string): Promise<void> {
    // The newest is asked for later alone: who may not is told now, and not when the connection was lost.
    const { oldest } = await this.#ends();
    if (this.#stopped) return;
    const isYoung = oldest !== undefined && compareIds(oldest, from) > 0;
    this.#beginAt({ place: isYoung ? before(oldest) : from, epoch, isAnew: false });
    this.#anchor = isYoung ? oldest : from;
    this.#isReading = true;
    void this.#work();
  }

  /** @param id of what Redis has taken from this process: it has to be there, also while nobody has read it */
  stored(id: StreamId): void {
    if (compareIds(id, this.#stored) > 0) this.#stored = id;
  }

  /** Nothing is told any more; what waits for an answer of Redis is not waited for. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
    this.#refuse(new Error('The log was stopped'));
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #work(): Promise<void> {
    let check = false;
    while (!this.#stopped) {
      try {
        // A client may have given up to reach Redis.
        if (!this.#client.isOpen) await this.#client.connect();
        if (check) await this.#look();
        check = false;
        const command = ['XREAD', 'COUNT', String(BATCH), 'BLOCK', String(BLOCK), 'STREAMS', this.#stream.key, idText(this.#place)];
        const entries = readEntriesOf(await this.#ask(command));
        this.#told.clear();
        if (entries.length === 0 && !this.#stopped) this.#listener.idle();
        // Where so many are left some may be gone already.
        if (entries.length >= Math.min(BATCH, this.#stream.keep)) await this.#look();
        for (const entry of entries) {
          if (this.#stopped || compareIds(entry.id, this.#place) <= 0) continue;
          const epoch = readEpoch(entry.fields.epoch) ?? this.#epoch;
          if (epoch !== this.#epoch) this.#beginAt({ place: entry.id, epoch, isAnew: true });
          this.#listener.entry(entry);
          this.#place = entry.id;
          this.#isTold = true;
          this.#anchor = entry.id;
        }
      } catch (error) {
        this.#failedWith(error);
        if (isOfFollower(error) && this.#client.isOpen) this.#client.destroy();
        check = true;
        await this.#pause();
      }
    }
  }

  #failedWith(error: unknown): void {
    this.#failure = error;
    // Only a start is given up by it: what is made later waits until somebody has mended it.
    if (isRefusal(error) || isUntrusted(error)) this.#refuse(error);
    const text = messageOf(error);
    // Who starts it is told by that.
    if (!this.#isReading || this.#stopped || this.#told.has(text)) return;
    this.#told.add(text);
    this.#listener.failed(error);
  }

  /** A connection that nothing comes over any more is ended, which makes what waits for it fail. */
  readonly #ask: Ask = async (command) => {
    const timer = setTimeout(() => {
      if (this.#client.isOpen) this.#client.destroy();
    }, DEAD).unref();
    try {
      return await this.#client.sendCommand(command);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Looks whether the stream is still the same, and reaches from where this process is to what comes. If not, it begins anew with what comes. */
  async #look(): Promise<void> {
    const epoch = await this.#listener.epoch(this.#ask);
    // What is stored from here on may lie behind the newest.
    const stored = this.#stored;
    const { oldest, newest } = await this.#ends();
    // Of one that is empty nobody can tell what was in it.
    const hasForgotten = newest === undefined || (epoch === this.#epoch && (await this.#isForgotten(stored, oldest, newest)));
    if (epoch === this.#epoch && !hasForgotten && oldest !== undefined && compareIds(oldest, this.#anchor) <= 0) return;
    const now = hasForgotten ? await this.#listener.forgot(this.#ask, epoch) : epoch;
    if (!this.#stopped) this.#beginAt({ place: newest?.id ?? [0, 0], epoch: now, isAnew: true, untold: newest });
  }

  /** A Redis that comes up with an older state has forgotten what it had told or taken, also where it has got something new since. */
  async #isForgotten(stored: StreamId, oldest: StreamId | undefined, newest: StreamEntry): Promise<boolean> {
    if (compareIds(newest.id, this.#place) < 0) return true;
    for (const id of this.#isTold ? [this.#place, stored] : [stored]) {
      // What is in front of the oldest was removed because it is old.
      if (oldest === undefined || compareIds(oldest, id) > 0) continue;
      const text = idText(id);
      if (entriesOf(await this.#ask(['XRANGE', this.#stream.key, text, text])).length === 0) return true;
    }
    return false;
  }

  #beginAt(beginning: Beginning): void {
    this.#isTold = false;
    this.#stored = [0, 0];
    this.#place = this.#anchor = beginning.place;
    this.#epoch = beginning.epoch;
    this.#listener.began(beginning);
  }

  async #ends(): Promise<{ readonly oldest: StreamId | undefined; readonly newest: StreamEntry | undefined }> {
    const { key } = this.#stream;
    const [oldest] = entriesOf(await this.#ask(['XRANGE', key, '-', '+', 'COUNT', '1']));
    const [newest] = entriesOf(await this.#ask(['XREVRANGE', key, '+', '-', 'COUNT', '1']));
    return { oldest: oldest?.id, newest };
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

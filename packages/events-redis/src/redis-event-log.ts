import { randomBytes } from 'node:crypto';
import type { EventLog, LogEntry, LogReader, Order } from '@framework/channels';
import { redisEventLogSettings, type RedisEventLogOptions } from './options.ts';
import { readEntries, readEpoch } from './read-entries.ts';
import {
  checkClient,
  compareIds,
  isRefusal,
  messageOf,
  parseId,
  type RedisClient,
  type StreamEntry,
  type StreamId,
} from './redis-client.ts';
import { explained } from './refusal.ts';
import { partsOf } from './write-parts.ts';
import { Sender } from './sender.ts';
import { RETRY, StreamReader, type Ask, type Beginning } from './stream-reader.ts';

/** Milliseconds in which a process that starts has to have read what is there. */
const START_TIME = 30_000;
/** Milliseconds that a write may have to be made again before that is told: one server may only just have taken over from another. */
const UNTOLD = 1000;
/** Entries that are known by their keys when they come again. */
const MOST_KNOWN = 10_000;

/**
 * A log of events in a stream of Redis, for all processes that use it: `channels({ log: redisEventLog(client) })`. Needs Redis 6.2 or later.
 */
export class RedisEventLog implements EventLog {
  readonly #client: RedisClient;
  readonly #settings: Required<RedisEventLogOptions>;
  #reader: LogReader | undefined;
  #stream: StreamReader | undefined;
  #sender: Sender;
  #epoch = '';
  #latest: Order = [0, 0, 0];
  /** Called when the process has read as far as what it has written at its start. */
  #readMark: { readonly place: StreamId; done(): void } | undefined;
  #isStopped = false;
  /** What Redis could not be asked for last while the log starts. */
  #delay: unknown;
  /** Keys of the entries that were told last. */
  readonly #told = new Set<string>();
  /** Those of writes of which another part was refused: all of them come again. */
  readonly #stored = new WeakSet<LogEntry>();
  /** Texts of what has kept writes from being taken since one was. */
  readonly #delays = new Set<string>();

  /**
   * @param client a client of `redis`, connected or not; a second one is made for reading, and a third for writing where this one is dead without having ended
   * @param options name of the stream, and what it keeps
   * @throws TypeError for what is no client of one server, and for options that are not what they have to be
   */
  constructor(client: RedisClient, options: RedisEventLogOptions = {}) {
    checkClient(client);
    this.#client = client;
    this.#sender = new Sender(client);
    this.#settings = redisEventLogSettings(options);
  }

  /** Which log it is; known once it was started. */
  get epoch(): string {
    return this.#epoch;
  }

  get latest(): Order {
    return this.#latest;
  }

  /** Milliseconds in which entries are to be gathered. */
  get gather(): number {
    return this.#settings.gather;
  }

  /**
   * Connects, and reads what other processes have told before.
   *
   * @throws what Redis refuses it with, and Error when it could not be reached and read in time
   */
  async start(): Promise<void> {
    this.#isStopped = false;
    this.#delay = undefined;
    this.#sender.stop();
    this.#sender = new Sender(this.#client);
    // What was told before the last end is told again, for the window of this start.
    this.#told.clear();
    const { key, keep } = this.#settings;
    const stream = new StreamReader(
      this.#client,
      { key, keep },
      {
        entry: (entry) => {
          this.#tell(entry);
        },
        began: (at) => {
          this.#beginAt(at);
          // What it has written is among what is not there any more.
          if (at.isAnew) this.#readMark?.done();
        },
        idle: () => {
          this.#readMark?.done();
        },
        epoch: async (ask) => (await this.#storedEpoch(ask)).epoch,
        forgot: (ask, epoch) => this.#anotherEpoch(ask, epoch),
        failed: (error) => {
          this.#reader?.failed?.(explained(error, key));
        },
      },
    );
    this.#stream = stream;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const cause = stream.failure ?? this.#delay;
        const why = messageOf(cause) || 'it does not answer';
        reject(new Error(`Redis could not be reached, and its events read, within ${START_TIME} ms: ${why}`, { cause }));
      }, START_TIME);
    });
    try {
      await Promise.race([this.#begin(stream), stream.refused, late]);
    } catch (error) {
      await this.stop();
      throw explained(error, key);
    } finally {
      clearTimeout(timer);
      this.#readMark = this.#delay = undefined;
    }
  }

  async #begin(stream: StreamReader): Promise<void> {
    // It is the one that tells what Redis can not be reached by.
    await stream.connect();
    const { epoch, isNew } = await this.#untilTaken(() => this.#storedEpoch(this.#sender.ask));
    this.#epoch = epoch;
    const mark = await this.#untilTaken(() => this.#add({ mark: '1' }, isNew ? epoch : undefined));
    const read = new Promise<void>((resolve) => {
      this.#readMark = { place: mark, done: resolve };
    });
    // In front of the mark, also when nothing else is to be read.
    await this.#untilTaken(() => stream.start([Math.max(0, mark[0] - this.#settings.replay - 1), 0], this.#epoch));
    await read;
  }

  /** Tells no more entries, and does not try again to store any. The client stays connected. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#stream?.stop();
    this.#sender.stop();
    this.#stream = undefined;
    return Promise.resolve();
  }

  /**
   * Adds entries; tried again while Redis can not be reached.
   *
   * @throws what Redis refuses them with, as a rejection, and what it can not be reached by once the client is closed or the log stopped; some may have been
   * added then, and are not once more when they are given again
   */
  async append(entries: readonly LogEntry[]): Promise<void> {
    for (const part of partsOf(entries.filter((entry) => !this.#stored.has(entry)))) {
      const text = `[${part.map((written) => written.text).join(',')}]`;
      const id = await this.#untilTaken(() => this.#add({ entries: text }), this.#tellDelay);
      this.#delays.clear();
      this.#stream?.stored(id);
      for (const { entry } of part) this.#stored.add(entry);
    }
  }

  /** Reading tells nothing of a Redis whose memory or disk is full, or that too few follow. */
  readonly #tellDelay = (error: unknown): void => {
    const text = messageOf(error);
    if (this.#delays.has(text)) return;
    this.#delays.add(text);
    this.#reader?.delayed?.(error);
  };

  /**
   * Asks again while Redis can not be reached, or can not do it yet.
   *
   * @param delayed told of what keeps it from that, where it takes long
   */
  async #untilTaken<T>(ask: () => Promise<T>, delayed?: (error: unknown) => void): Promise<T> {
    const since = performance.now();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (this.#isStopped || !this.#client.isOpen || isRefusal(error)) throw error;
        this.#delay = error;
        if (performance.now() - since >= UNTOLD) delayed?.(error);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY).unref());
    }
  }

  /**
   * Starts to tell of entries. A log has one reader.
   *
   * @returns ends it
   * @throws Error when somebody reads the log already
   */
  read(reader: LogReader): () => void {
    if (this.#reader) throw new Error('The log is read already: give each application a log of its own');
    this.#reader = reader;
    return () => {
      this.#reader = undefined;
    };
  }

  /**
   * Where Redis has forgotten the stream, what begins it says so: somebody may not have read the last that was in it, and notices nothing else.
   *
   * @param epoch of a stream that there has never been
   */
  async #add(fields: Readonly<Record<string, string>>, epoch?: string): Promise<StreamId> {
    const { ask } = this.#sender;
    const id = await ask(this.#adding(fields, 'NOMKSTREAM'));
    return parseId(id ?? (await ask(this.#adding({ epoch: epoch ?? (await this.#newEpoch(ask)), ...fields }))));
  }

  #adding(fields: Readonly<Record<string, string>>, ...options: string[]): string[] {
    const { key, keep } = this.#settings;
    return ['XADD', key, ...options, 'MAXLEN', '~', String(keep), '*', ...Object.entries(fields).flat()];
  }

  /** Another one when Redis has forgotten the stream: it would then forget this too. */
  async #storedEpoch(ask: Ask): Promise<{ readonly epoch: string; readonly isNew: boolean }> {
    const key = `${this.#settings.key}:epoch`;
    const set = await ask(['SET', key, newEpoch(), 'NX']);
    const stored = readEpoch(String(await ask(['GET', key])));
    return stored === undefined ? { epoch: await this.#newEpoch(ask), isNew: false } : { epoch: stored, isNew: set !== null };
  }

  async #newEpoch(ask: Ask): Promise<string> {
    const epoch = newEpoch();
    await ask(['SET', `${this.#settings.key}:epoch`, epoch]);
    return epoch;
  }

  /** The entry says it to those who have not noticed: they may have read less, and come back later. */
  async #anotherEpoch(ask: Ask, epoch: string): Promise<string> {
    const stored = await this.#storedEpoch(ask);
    if (stored.epoch !== epoch) return stored.epoch;
    const another = await this.#newEpoch(ask);
    await ask(this.#adding({ epoch: another }));
    return another;
  }

  #tell({ id, fields }: StreamEntry): void {
    const entries = readEntries(fields.entries);
    // Places are the same in all processes, also in those that have not read as far back as what was told before.
    for (const [index, entry] of entries.entries()) {
      this.#latest = [...id, index + 1];
      if (this.#isNew(entry)) this.#reader?.entry(entry, this.#latest);
      else this.#reader?.passed(this.#latest);
    }
    if (entries.length === 0) {
      this.#latest = [...id, 0];
      this.#reader?.passed(this.#latest);
    }
    if (this.#readMark && compareIds(id, this.#readMark.place) >= 0) this.#readMark.done();
  }

  /** @returns whether an entry was not told before: a write is made again where its answer was lost, and its entries one by one where it is refused then */
  #isNew({ key }: LogEntry): boolean {
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    const [oldest] = this.#told;
    if (this.#told.size > MOST_KNOWN && oldest !== undefined) this.#told.delete(oldest);
    return true;
  }

  /** Behind all of a write that is not told: who has got a part of it elsewhere could not get the rest here. */
  #beginAt({ place, epoch, untold }: Beginning): void {
    this.#epoch = epoch;
    this.#latest = [...place, readEntries(untold?.fields.entries).length];
    this.#reader?.lost(epoch);
  }
}

/**
 * Makes the log of an application: `app.configure(channels({ log: redisEventLog(createClient({ url })) }))`.
 *
 * @param client a client of `redis`, connected or not
 * @param options name of the stream, and what it keeps
 * @throws TypeError for what is no client of one server, and for options that are not what they have to be
 */
export function redisEventLog(client: RedisClient, options: RedisEventLogOptions = {}): RedisEventLog {
  return new RedisEventLog(client, options);
}

function newEpoch(): string {
  return randomBytes(8).readBigUInt64BE().toString(36);
}

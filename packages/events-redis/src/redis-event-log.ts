import { randomBytes } from 'node:crypto';
import type { EventLog, LogEntry, LogReader, Order } from '@framework/channels';
import { redisEventLogSettings, type RedisEventLogOptions } from './options.ts';
import { readEntries } from './read-entries.ts';
import { idText, parseId, type RedisClient, type StreamEntry, type StreamId } from './redis-client.ts';
import { StreamReader } from './stream-reader.ts';

/** Milliseconds in which a process that starts has to have read what is there. */
const START_TIME = 30_000;
/** Letters of one write, about. */
const MOST_LETTERS = 8_000_000;

/**
 * A log of events in a stream of Redis, for all processes that use it: `channels({ log: redisEventLog(client) })`. Needs Redis 6.2 or later.
 */
export class RedisEventLog implements EventLog {
  readonly #client: RedisClient;
  readonly #settings: Required<RedisEventLogOptions>;
  #reader: LogReader | undefined;
  #stream: StreamReader | undefined;
  #epoch = '';
  #latest: Order = [0, 0, 0];
  /** Called when the process reads what it has written at its start. */
  #readMark: { readonly id: string; done(): void } | undefined;

  /**
   * @param client a client of `redis`, connected or not; a second one is made for reading
   * @param options name of the stream, and what it keeps
   * @throws TypeError for options that are not what they have to be
   */
  constructor(client: RedisClient, options: RedisEventLogOptions = {}) {
    this.#client = client;
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
   * @throws what Redis fails with, and Error when it could not be read in time
   */
  async start(): Promise<void> {
    if (!this.#client.isOpen) await this.#client.connect();
    const { key, replay } = this.#settings;
    this.#epoch = await this.#storedEpoch();
    const mark = await this.#add({ mark: '1' });
    // In front of the mark, also when nothing else is to be read.
    const from: StreamId = [Math.max(0, mark[0] - replay - 1), 0];
    const stream = new StreamReader(this.#client, key, {
      entry: (entry) => {
        this.#tell(entry);
      },
      began: (place) => {
        this.#beginAt(place);
      },
      epoch: () => this.#storedEpoch(),
    });
    this.#stream = stream;
    let timer: NodeJS.Timeout | undefined;
    const read = new Promise<void>((resolve, reject) => {
      this.#readMark = { id: idText(mark), done: resolve };
      timer = setTimeout(() => {
        reject(new Error(`The events in Redis could not be read within ${START_TIME} ms`));
      }, START_TIME);
    });
    try {
      await stream.start(from, this.#epoch);
      await read;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#readMark = undefined;
    }
  }

  /** Tells no more entries. The client stays connected. */
  async stop(): Promise<void> {
    await this.#stream?.stop();
    this.#stream = undefined;
  }

  /**
   * Adds entries.
   *
   * @throws what keeps Redis from storing them, as a rejection
   */
  async append(entries: readonly LogEntry[]): Promise<void> {
    for (const text of textsOf(entries)) await this.#add({ entries: text });
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

  async #add(fields: Readonly<Record<string, string>>): Promise<StreamId> {
    const { key, keep } = this.#settings;
    const values = Object.entries(fields).flat();
    return parseId(await this.#client.sendCommand(['XADD', key, 'MAXLEN', '~', String(keep), '*', ...values]));
  }

  /** Another one when Redis has forgotten the stream: it would then forget this too. */
  async #storedEpoch(): Promise<string> {
    const key = `${this.#settings.key}:epoch`;
    await this.#client.sendCommand(['SET', key, randomBytes(8).readBigUInt64BE().toString(36), 'NX']);
    return String(await this.#client.sendCommand(['GET', key]));
  }

  #tell({ id, fields }: StreamEntry): void {
    const entries = readEntries(fields.entries);
    for (const [index, entry] of entries.entries()) {
      this.#latest = [...id, index + 1];
      this.#reader?.entry(entry, this.#latest);
    }
    if (entries.length === 0) {
      this.#latest = [...id, 0];
      this.#reader?.passed(this.#latest);
    }
    if (this.#readMark?.id === idText(id)) this.#readMark.done();
  }

  #beginAt({ place, epoch }: { readonly place: StreamId; readonly epoch: string }): void {
    this.#epoch = epoch;
    this.#latest = [...place, 0];
    this.#reader?.lost(epoch);
  }
}

/**
 * Makes the log of an application: `app.configure(channels({ log: redisEventLog(createClient({ url })) }))`.
 *
 * @param client a client of `redis`, connected or not
 * @param options name of the stream, and what it keeps
 * @throws TypeError for options that are not what they have to be
 */
export function redisEventLog(client: RedisClient, options: RedisEventLogOptions = {}): RedisEventLog {
  return new RedisEventLog(client, options);
}

/** @returns JSON of entries in their order, in as few texts as there can be */
function textsOf(entries: readonly LogEntry[]): string[] {
  const groups: string[][] = [];
  let letters = Infinity;
  for (const text of entries.map((entry) => JSON.stringify(entry))) {
    if (letters + text.length > MOST_LETTERS) {
      groups.push([]);
      letters = 0;
    }
    groups.at(-1)?.push(text);
    letters += text.length;
  }
  return groups.map((group) => `[${group.join(',')}]`);
}

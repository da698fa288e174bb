import { randomUUID } from 'node:crypto';
import { Backlog, sizeOf } from '../publishing/backlog.ts';
import { bytesOf, type ConnectionFilter, type EventEntry, type Target } from './event-entry.ts';
import type { LogChange, LogEntry, LogReader, LogTarget } from './event-log.ts';
import type { Order } from './position.ts';

/** Most entries whose filters wait for the log to tell them. */
const MOST_FILTERS = 10_000;

/** What an entry or a change is an event of. */
export interface Foreign {
  readonly path: string;
  readonly event: string;
}

/** What {@link Intake} needs of others. */
export interface IntakeParts {
  /** Takes the entries, in their order. */
  deliver(entry: EventEntry, order: Order): void;
  /** The log has come to a place without an entry. */
  passed(order: Order): void;
  /** Positions of before mean nothing any more. */
  lost(epoch: string): void;
  /** Asks the publisher about an event that another process has published, as far as it is known here. */
  republish(event: Foreign, record: unknown): Promise<readonly Target[]>;
  /** @returns JSON of what everybody may see of a record */
  textOf(path: string, record: unknown): string;
  /** Told of what went wrong with an event; nobody in this process gets it. */
  failed(error: unknown, event: Foreign): void;
  /** Told of what keeps the log from being read. */
  unread(error: unknown): void;
  /** Told of what keeps the log from taking events. */
  unstored(error: unknown): void;
  /** Bytes of entries and changes that may wait for publishers. */
  readonly maxBytes: number;
}

/**
 * Stands between a log, which keeps plain data, and this process. Filters are functions: those of entries of this process wait here until the log tells
 * the entry; for all others the publisher is asked again. Entries that take time hold up those behind them.
 */
export class Intake implements LogReader {
  readonly #parts: IntakeParts;
  readonly #process = randomUUID();
  readonly #filters = new Map<string, readonly (ConnectionFilter | undefined)[]>();
  #count = 0;
  #waiting: Promise<void> | undefined;
  readonly #backlog: Backlog;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#backlog = new Backlog(parts.maxBytes);
  }

  /** @returns an entry as a log keeps it */
  outgoing({ targets, ...entry }: EventEntry): LogEntry {
    const key = `${this.#process}.${String(++this.#count)}`;
    const filters = targets.map(({ filter }) => filter);
    if (filters.some((filter) => filter !== undefined)) this.#keep(key, filters);
    return { ...entry, key, targets: targets.map(plain) };
  }

  /** What never comes back, of transactions that somebody else has given up, is forgotten in time: the publisher is asked again then. */
  #keep(key: string, filters: readonly (ConnectionFilter | undefined)[]): void {
    this.#filters.set(key, filters);
    const [oldest] = this.#filters.keys();
    if (this.#filters.size > MOST_FILTERS && oldest !== undefined) this.#filters.delete(oldest);
  }

  /** Forgets an entry that was not stored. */
  dropped({ key }: LogEntry): void {
    this.#filters.delete(key);
  }

  entry(entry: LogEntry, order: Order): void {
    const filters = this.#filters.get(entry.key);
    this.#filters.delete(entry.key);
    if (filters) this.#deliver({ ...entry, targets: entry.targets.map((target, index) => ({ ...target, filter: filters[index] })) }, order);
    else if (entry.targets.some(({ filtered }) => filtered)) this.#keepFor(entry, sizeOf(entry), async () => this.#again(entry, order));
    else this.#deliver(entry, order);
  }

  changed({ path, event, record, at }: LogChange, order: Order): void {
    this.#keepFor({ path, event }, sizeOf(record), async () => {
      const targets = await this.#parts.republish({ path, event }, record);
      if (targets.length > 0) this.#parts.deliver({ path, event, text: this.#parts.textOf(path, record), targets, at }, order);
    });
  }

  passed(order: Order): void {
    if (this.#waiting) this.#later({ path: '', event: 'passed' }, async () => this.#parts.passed(order));
    else this.#parts.passed(order);
  }

  lost(epoch: string): void {
    this.#filters.clear();
    // What came before is delivered, or not, before what was lost is told.
    if (this.#waiting) this.#later({ path: '', event: 'lost' }, async () => this.#parts.lost(epoch));
    else this.#parts.lost(epoch);
  }

  failed(error: unknown): void {
    this.#parts.unread(error);
  }

  delayed(error: unknown): void {
    this.#parts.unstored(error);
  }

  #deliver(entry: EventEntry, order: Order): void {
    if (this.#waiting) this.#keepFor(entry, bytesOf(entry), async () => this.#parts.deliver(entry, order));
    else this.#parts.deliver(entry, order);
  }

  /** What publishers keep from being delivered is given up where it is too much. */
  #keepFor(event: Foreign, bytes: number, work: () => Promise<void>): void {
    try {
      const counted = this.#backlog.add(bytes, `${event.path} ${event.event}`);
      this.#later(event, () => work().finally(counted));
    } catch (error) {
      this.#parts.failed(error, event);
    }
  }

  #later(event: Foreign, work: () => Promise<void>): void {
    const done = (this.#waiting ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => {
        this.#parts.failed(error, event);
      })
      .then(() => {
        if (this.#waiting === done) this.#waiting = undefined;
      });
    this.#waiting = done;
  }

  /** The publisher of this process says who of a filtered channel gets the event; what they get is what was published. */
  async #again(entry: LogEntry, order: Order): Promise<void> {
    const asked = await this.#parts.republish(entry, JSON.parse(entry.text));
    const targets = entry.targets.map((target, index) => {
      if (!target.filtered) return target;
      const same = asked[index];
      if (same?.channel !== target.channel || same.filter === undefined) throw new Error(OTHER_CHANNELS);
      return { ...target, filter: same.filter };
    });
    this.#parts.deliver({ ...entry, targets }, order);
  }
}

const OTHER_CHANNELS =
  'The publisher names other channels here than in the process of the call. With filter() it has to decide by what everybody may see of the record: ' +
  "for events of other processes 'context.remote' is true";

function plain({ channel, text, filter }: Target): LogTarget {
  return { channel, ...(text === undefined ? {} : { text }), ...(filter === undefined ? {} : { filtered: true }) };
}

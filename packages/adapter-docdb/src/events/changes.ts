import { isRecord } from '@framework/query';
import type { ChangeStreamDocument, Document, Timestamp } from 'mongodb';
import type { DocDbLogReader, EventLogSettings, LogChange, LogEntry, LogOrder } from './event-log-types.ts';

/** A write of the log itself: several entries, in their order. */
export interface LogDocument {
  readonly at: Date;
  readonly entries: readonly LogEntry[];
  /** Written by a process that starts, to see how far it has read. */
  readonly mark?: string;
}

/** What a service calls the changes of a database. */
const EVENTS: Readonly<Record<string, LogChange['event']>> = {
  insert: 'created',
  replace: 'updated',
  update: 'patched',
  delete: 'removed',
};

/**
 * Makes events of the changes of a database. Those of one transaction have one time: they are counted, and as every process sees them in the same order,
 * every process gives them the same places.
 */
export class Changes {
  readonly #settings: EventLogSettings;
  #time: readonly [number, number] = [0, 0];
  #place = 0;

  constructor(settings: EventLogSettings) {
    this.#settings = settings;
  }

  /** Place of the last event. */
  get latest(): LogOrder {
    return [...this.#time, this.#place];
  }

  /** Names of the collections whose changes are of interest. */
  get collections(): string[] {
    return [this.#settings.collection, ...this.#settings.watch.keys()];
  }

  /**
   * Goes on at a time, where nothing of before is known.
   *
   * @param time of the database
   */
  startAt(time: Timestamp): void {
    this.#time = partsOf(time);
    this.#place = 0;
  }

  /**
   * Tells what a change means.
   *
   * @returns the mark that it carries, if it does
   */
  tell(change: ChangeStreamDocument, reader: DocDbLogReader | undefined): string | undefined {
    if (!('ns' in change) || !('coll' in change.ns) || !('documentKey' in change)) return undefined;
    const { clusterTime } = change;
    if (clusterTime === undefined) return undefined;
    if (change.ns.coll === this.#settings.collection) {
      if (change.operationType !== 'insert') return undefined;
      const { fullDocument } = change;
      // What others write there tells nothing; it must not keep what is behind it from being told.
      if (!isLogDocument(fullDocument)) return undefined;
      const { entries, mark } = fullDocument;
      // Places count on also where nobody reads.
      for (const entry of entries) {
        const order = this.#next(clusterTime);
        reader?.entry(entry, order);
      }
      if (mark !== undefined) {
        const order = this.#next(clusterTime);
        reader?.passed(order);
      }
      return mark;
    }
    const path = this.#settings.watch.get(change.ns.coll);
    const event = EVENTS[change.operationType];
    if (path === undefined || event === undefined) return undefined;
    const order = this.#next(clusterTime);
    reader?.changed({ path, event, record: recordOf(change), at: partsOf(clusterTime)[0] * 1000 }, order);
    return undefined;
  }

  #next(clusterTime: Timestamp): LogOrder {
    const time = partsOf(clusterTime);
    const same = time[0] === this.#time[0] && time[1] === this.#time[1];
    this.#time = time;
    this.#place = same ? this.#place + 1 : 1;
    return this.latest;
  }
}

/** @returns whether a document was written by a log, and not by whoever has a collection of the same name */
export function isLogDocument(document: Document): document is LogDocument {
  const { entries } = document;
  return Array.isArray(entries) && entries.every(isEntry);
}

function isEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { key, path, event, text, targets } = entry;
  return [key, path, event, text].every((each) => typeof each === 'string') && Array.isArray(targets) && targets.every(isTarget);
}

function isTarget(target: unknown): boolean {
  if (!isRecord(target)) return false;
  const { channel, text } = target;
  return typeof channel === 'string' && (text === undefined || typeof text === 'string');
}

/** A document that is gone by the time it is looked up is known by its id alone. */
function recordOf(change: Document): Document {
  const { fullDocument, fullDocumentBeforeChange, documentKey } = change as {
    readonly fullDocument?: Document | null;
    readonly fullDocumentBeforeChange?: Document | null;
    readonly documentKey: Document;
  };
  return fullDocument ?? fullDocumentBeforeChange ?? documentKey;
}

/** @returns seconds and increment of a time of the database */
export function partsOf(time: Timestamp): readonly [seconds: number, increment: number] {
  const bits = BigInt.asUintN(64, time.toBigInt());
  return [Number(bits >> 32n), Number(bits & 0xffffffffn)];
}

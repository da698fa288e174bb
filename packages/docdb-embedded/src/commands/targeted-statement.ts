import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { type CollectionQuery, findSteps } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import type { DocumentView, Stored } from '../storage/stored.ts';
import type { Writer } from '../storage/writer.ts';
import { WaitFor } from '../transactions/transaction.ts';
import type { CommandContext } from './command.ts';
import { collectionIn, readingOf } from './query-command.ts';
import type { Advance, Statement } from './write-loop.ts';

/** Steps of a search that a write does itself; a longer one does not keep others from writing. */
const SHORT_SEARCH = 5;
/** By how many times more candidates are looked for where others have taken all that were found. */
const MORE = 64;
/** Most candidates for one document: as many as there may be who look for one at the same time. */
const MOST_CANDIDATES = 4096;

/** What a statement does with the documents that it finds. */
export interface TargetRules {
  /** Makes the query, for the collection as it is now. */
  query(collection: Collection): CollectionQuery;
  /** Prepares and writes one document. */
  apply(writer: Writer, collection: Collection, target: Stored): void;
  /**
   * Runs when nothing was found.
   *
   * @param since when it was looked for, as `Store.seq` counts
   * @returns whether it is done; else it is looked for again, since somebody has written meanwhile what may be wanted
   */
  none?(writer: Writer, since: number): boolean;
}

/** @throws DocDbError (166, 263) for a view, and for a capped collection in a transaction */
export function checkWritable({ ns, isView, isCapped }: Collection, { transaction }: CommandContext): void {
  if (isView) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
  if (transaction && isCapped)
    throw new DocDbError(
      263,
      `Collection '${ns}' is a capped collection. Writes in transactions are not allowed on capped collections: write without one`,
    );
}

/** An update or a deletion: finds documents, and writes each as it is by then. */
export class TargetedStatement implements Statement {
  readonly #context: CommandContext;
  readonly #ns: string;
  readonly #rules: TargetRules;
  /** What was found: records, and the versions that were looked at. */
  #records: number[] = [];
  #versions: number[] = [];
  #at = 0;
  #count = 0;
  /** How many are looked for where one is wanted: others look for the same one, and one of them gets it. */
  #candidates = 1;
  /** Whether others have changed what was found. */
  #missed = false;
  #searched = false;
  /** Whether a search took longer than a write may. */
  #isLong = false;
  /** When it was looked for, as `Store.seq` counts. */
  #since = 0;
  #asked: { readonly collection: Collection; readonly query: CollectionQuery } | undefined;

  constructor(context: CommandContext, ns: string, rules: TargetRules) {
    this.#context = context;
    this.#ns = ns;
    this.#rules = rules;
  }

  #query(collection: Collection): CollectionQuery {
    if (this.#asked?.collection !== collection)
      this.#asked = { collection, query: this.#context.operation.during(() => this.#rules.query(collection)) };
    return this.#asked.query;
  }

  advance(writer: Writer, end: number): Advance {
    const { transaction } = this.#context;
    const collection = (transaction?.reader ?? writer.reader).collection(this.#ns);
    if (collection) checkWritable(collection, this.#context);
    // What a transaction sees can be read outside of writes only.
    if (collection && !this.#searched && (transaction || this.#isLong || !this.#searchShortly(writer, collection))) return 'search';
    const from = this.#at;
    for (; this.#at < this.#records.length && !this.#hasOne; this.#at++) {
      // However long the search took, a write that has found something changes something.
      if (writer.isSpent || (this.#at > from && performance.now() >= end)) return 'turn';
      const target = collection && this.#current(writer, collection);
      if (!target) continue;
      this.#rules.apply(writer, collection, target);
      this.#count += 1;
    }
    if (this.#count > 0 || (!this.#missed && this.#none(writer))) return 'done';
    if (this.#missed) this.#candidates = Math.min(this.#candidates * MORE, MOST_CANDIDATES);
    this.#forget();
    return 'search';
  }

  #none(writer: Writer): boolean {
    try {
      return this.#rules.none?.(writer, this.#since) ?? true;
    } catch (error) {
      // Behind the transaction that is in the way there may be a document to find.
      if (error instanceof WaitFor) this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#records = [];
    this.#versions = [];
    this.#at = 0;
    this.#missed = false;
    this.#searched = false;
  }

  /** Whether one document is wanted, and is written. */
  get #hasOne(): boolean {
    return this.#count > 0 && this.#asked?.query.limit === 1;
  }

  readonly #note = ({ record, version }: DocumentView): void => {
    this.#records.push(record);
    this.#versions.push(version);
  };

  #found(reader: Reader, collection: Collection): Iterable<unknown> {
    const query = this.#query(collection);
    const asked = query.limit === 1 ? { ...query, limit: this.#candidates } : query;
    return this.#context.operation.stepping(findSteps(reader, collection, asked, this.#note));
  }

  /** @returns whether the search came to its end */
  #searchShortly(writer: Writer, collection: Collection): boolean {
    let steps = 0;
    this.#since = this.#context.server.store.seq;
    for (const _step of this.#found(writer.reader, collection)) {
      steps += 1;
      if (steps <= SHORT_SEARCH) continue;
      this.#isLong = true;
      this.#forget();
      return false;
    }
    this.#searched = true;
    return true;
  }

  /** A document that has changed since it was found is a target if it still fits; one that is gone is none. */
  #current(writer: Writer, collection: Collection): Stored | undefined {
    const { transaction } = this.#context;
    const now = (transaction?.reader ?? writer.reader).at(collection, this.#records[this.#at] as number);
    if (transaction || now?.version === this.#versions[this.#at]) return now;
    const { predicate } = this.#query(collection);
    if (now && this.#context.operation.during(() => predicate(now.doc))) return now;
    // Others that were not found may fit, too.
    if (this.#query(collection).limit === 1) this.#missed = true;
    return undefined;
  }

  /** The whole search comes first: a state that was held while it writes would keep all pages that it replaces. */
  async search(): Promise<void> {
    this.#forget();
    const reading = readingOf(this.#context);
    this.#since = reading.reader.seq;
    try {
      const collection = collectionIn(this.#context, reading.reader, this.#ns);
      if (collection) for (const _step of this.#found(reading.reader, collection)) await this.#context.operation.turn();
    } finally {
      reading.release();
    }
    this.#searched = true;
  }
}

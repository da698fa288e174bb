import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { type CollectionQuery, findSteps } from '../storage/find-documents.ts';
import type { Stored } from '../storage/reader.ts';
import type { Writer } from '../storage/writer.ts';
import { WaitFor } from '../transactions/transaction.ts';
import type { CommandContext } from './command.ts';
import { collectionIn, readingOf, type Reading } from './query-command.ts';
import { type Advance, type Statement, WRITE_SLICE } from './write-loop.ts';

/** Steps of a search that a write does itself; a longer one does not keep others from writing. */
const SHORT_SEARCH = 5;

/** What a statement does with the documents that it finds. */
export interface TargetRules {
  /** Makes the query, for the collection as it is now. */
  query(collection: Collection): CollectionQuery;
  /** Prepares and writes one document. */
  apply(writer: Writer, collection: Collection, target: Stored): void;
  /** Runs when nothing was found. */
  none?(writer: Writer): void;
}

/** An update or a deletion: finds documents, and writes each as it is by then. */
export class TargetedStatement implements Statement {
  readonly #context: CommandContext;
  readonly #ns: string;
  readonly #rules: TargetRules;
  #found: Stored[] = [];
  #at = 0;
  #count = 0;
  #steps: Iterator<Stored[]> | undefined;
  #reading: Reading | undefined;
  #over = false;
  #asked: { readonly collection: Collection; readonly query: CollectionQuery } | undefined;

  constructor(context: CommandContext, ns: string, rules: TargetRules) {
    this.#context = context;
    this.#ns = ns;
    this.#rules = rules;
  }

  #query(collection: Collection): CollectionQuery {
    if (this.#asked?.collection !== collection) this.#asked = { collection, query: this.#rules.query(collection) };
    return this.#asked.query;
  }

  advance(writer: Writer): Advance {
    const { transaction } = this.#context;
    const end = performance.now() + WRITE_SLICE;
    const collection = (transaction?.reader ?? writer.reader).collection(this.#ns);
    if (collection?.isView === true) throw new DocDbError(166, `Namespace ${this.#ns} is a view, not a collection`);
    // What a transaction sees can be read outside of writes only.
    if (collection && !this.#steps && !this.#over && (transaction || !this.#searchShortly(writer, collection))) return 'search';
    for (; this.#at < this.#found.length; this.#at++) {
      if (performance.now() >= end) return 'turn';
      const target = collection && this.#current(writer, collection, this.#found[this.#at] as Stored);
      if (this.#found.length === 0) break;
      if (!target) continue;
      this.#rules.apply(writer, collection, target);
      this.#count += 1;
    }
    if (collection && !this.#over) return 'search';
    if (this.#count === 0) this.#none(writer);
    return 'done';
  }

  #none(writer: Writer): void {
    try {
      this.#rules.none?.(writer);
    } catch (error) {
      // Behind the transaction that is in the way there may be a document to find.
      if (error instanceof WaitFor) this.#startAgain();
      throw error;
    }
  }

  /** @returns whether the search came to its end */
  #searchShortly(writer: Writer, collection: Collection): boolean {
    const found: Stored[] = [];
    let steps = 0;
    for (const step of findSteps(writer.reader, collection, this.#query(collection))) {
      found.push(...step);
      steps += 1;
      if (steps > SHORT_SEARCH) return false;
    }
    this.#found = found;
    this.#over = true;
    return true;
  }

  /** A document that has changed since it was found is a target if it still fits. */
  #current(writer: Writer, collection: Collection, target: Stored): Stored | undefined {
    if (this.#context.transaction) return target;
    const now = writer.reader.at(collection, target.record);
    if (!now || now.version === target.version) return now;
    if (this.#query(collection).predicate(now.doc)) return now;
    // One that was wanted is looked for again.
    if (this.#query(collection).limit === 1) this.#startAgain();
    return undefined;
  }

  #startAgain(): void {
    this.end();
    this.#steps = undefined;
    this.#found = [];
    this.#at = 0;
    this.#over = false;
  }

  async search(): Promise<void> {
    if (!this.#steps) {
      this.#reading = readingOf(this.#context);
      const { reader } = this.#reading;
      const collection = collectionIn(this.#context, reader, this.#ns);
      this.#steps = (collection ? findSteps(reader, collection, this.#query(collection)) : [])[Symbol.iterator]();
    }
    this.#found = [];
    this.#at = 0;
    while (this.#found.length === 0) {
      const step = this.#steps.next();
      if (step.done === true) {
        this.#over = true;
        return;
      }
      this.#found = step.value;
      await this.#context.operation.turn();
    }
  }

  end(): void {
    this.#steps?.return?.();
    this.#reading?.release();
    this.#reading = undefined;
  }
}

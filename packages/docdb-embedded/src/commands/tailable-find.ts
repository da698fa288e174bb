import { Encoded, encodeSent } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { Plan } from '../storage/plan.ts';
import type { Reader } from '../storage/reader.ts';
import type { Store } from '../storage/store.ts';
import type { DocumentView } from '../storage/stored.ts';
import { BATCH_BYTES, type LiveSource } from './open-cursor.ts';
import { NextCommit } from './next-commit.ts';
import { Operation } from './operation.ts';
import type { PreparedFind } from './read.ts';

const NATURAL: Plan = { kind: 'scan', reverse: false };

/** What is found in a capped collection, and what is added to it later. */
export class TailableFind implements LiveSource {
  readonly waits: boolean;
  ended = false;
  readonly #store: Store;
  readonly #collection: Collection;
  readonly #find: PreparedFind;
  readonly #commits: NextCommit;
  /** The last record that was looked at. */
  #last: number | undefined;
  #skip: number;
  #left: number;

  /** @param waits whether it waits at its end for something new */
  constructor(store: Store, collection: Collection, find: PreparedFind, waits: boolean) {
    this.waits = waits;
    this.#store = store;
    this.#collection = collection;
    this.#find = find;
    this.#commits = new NextCommit(store);
    this.#skip = find.query.skip;
    this.#left = find.query.limit;
  }

  extra(): Doc {
    return {};
  }

  /** @throws DocDbError (136, 175) when its place is gone, or its collection */
  async next(waitMs: number, limit: number): Promise<Encoded[]> {
    const deadline = Date.now() + waitMs;
    try {
      for (;;) {
        const left = deadline - Date.now();
        // What is written while it looks is not missed.
        const written = this.#commits.within(left);
        const found = await this.#take(limit);
        if (found.length > 0 || left <= 0 || limit === 0 || this.ended) return found;
        await written;
      }
    } finally {
      this.#commits.stop();
    }
  }

  stop(): void {
    this.ended = true;
    this.#commits.stop();
  }

  async #take(limit: number): Promise<Encoded[]> {
    const operation = new Operation();
    const found: Encoded[] = [];
    let bytes = 0;
    const reading = this.#store.read();
    try {
      for (const document of operation.stepping(this.#rest(reading.reader))) {
        if (found.length >= limit || this.ended) break;
        const { matches, wanted } = operation.during(() => this.#looked(document));
        bytes += wanted?.bytes.length ?? 0;
        if (found.length > 0 && bytes > BATCH_BYTES) break;
        this.#last = document.record;
        if (matches && this.#skip > 0) this.#skip -= 1;
        if (wanted) {
          found.push(wanted);
          this.#left -= 1;
          this.ended ||= this.#left === 0;
        }
        await operation.turn();
      }
      return found;
    } finally {
      reading.release();
    }
  }

  #rest(reader: Reader): Iterable<DocumentView> {
    const collection = collectionOf(reader, this.#collection);
    if (this.#last !== undefined && !reader.at(collection, this.#last))
      throw new DocDbError(
        136,
        `The place of the cursor in the capped collection '${collection.ns}' was deleted: read more often, or make the collection larger`,
      );
    return reader.scan(collection, false, this.#last);
  }

  /** @returns whether a document is meant, and what is sent of it */
  #looked(document: DocumentView): { readonly matches: boolean; readonly wanted: Encoded | undefined } {
    const matches = this.#find.query.predicate(document.doc);
    return { matches, wanted: matches && this.#skip === 0 ? this.#shown(document) : undefined };
  }

  #shown(document: DocumentView): Encoded {
    const { show } = this.#find;
    return new Encoded(show ? encodeSent(show(document, NATURAL)) : document.kept().bytes);
  }
}

/** @throws DocDbError (175) for a collection that is not there any more */
function collectionOf(reader: Reader, { ns, uuid }: Collection): Collection {
  const now = reader.collection(ns);
  if (now?.uuid !== uuid) throw new DocDbError(175, `collection dropped or renamed: '${ns}', UUID ${uuid}`);
  return now;
}

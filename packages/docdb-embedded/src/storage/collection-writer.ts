import { randomUUID } from 'node:crypto';
import type { Doc } from '../bson/values.ts';
import { type Transaction, WaitFor } from '../transactions/transaction.ts';
import { forgetCollection, saveCollection } from './catalogue.ts';
import type { Change } from './change.ts';
import type { CollectionSizes } from './collection-sizes.ts';
import { checkNamespace, Collection, type CollectionChange, idIndexSpec } from './collection.ts';
import { checkDatabaseCase } from './database-case.ts';
import type { NumberedTable } from './engine.ts';
import { IndexDefinition } from './index-definition.ts';
import type { Store } from './store.ts';

/** Documents, or entries, that are removed with their collection at once; more are removed behind its back. */
const FEW = 500;

/** Makes, changes and drops collections, within one work of {@link Store.write}. What is in them is the writer's. */
export class CollectionWriter {
  readonly #store: Store;
  readonly #sizes: CollectionSizes;
  readonly #touched: () => void;
  readonly #publish: (change: Change) => void;

  /**
   * @param touched called with each change
   * @param publish adds a change to the log
   */
  constructor(store: Store, sizes: CollectionSizes, touched: () => void, publish: (change: Change) => void) {
    this.#store = store;
    this.#sizes = sizes;
    this.#touched = touched;
    this.#publish = publish;
  }

  /**
   * Makes a collection. Transactions make theirs beside each other, and beside writers outside: who commits first has the name.
   *
   * @throws DocDbError (73, 13297)
   */
  create(ns: string, options: Doc, transaction: Transaction | undefined, published = true): Collection {
    checkNamespace(ns);
    this.#checkName(ns);
    const ids = new IndexDefinition(this.#store.nextNumber(), idIndexSpec(options));
    const collection = new Collection(this.#store.nextNumber(), ns, randomUUID(), options, [ids]);
    const change: Change = { kind: 'create', ns, uuid: collection.uuid, details: { options } };
    if (transaction) {
      transaction.created.set(ns, collection);
      transaction.log.push(change);
    } else {
      this.change([], [collection]);
      if (published) this.#publish(change);
    }
    return collection;
  }

  /**
   * Changes what a collection is.
   *
   * @throws WaitFor while a transaction uses it
   */
  modify(collection: Collection, change: Partial<CollectionChange>, published?: Change): Collection {
    this.#store.lock(collection);
    const next = collection.with(change);
    this.change([collection], [next]);
    if (published) this.#publish(published);
    return next;
  }

  /** @throws WaitFor while a transaction uses it */
  drop(collection: Collection, published = true): void {
    this.#store.lock(collection);
    const count = this.#sizes.of(collection).count;
    this.change([collection], []);
    this.#sizes.forget(collection);
    this.#discard('documents', collection.number, count);
    for (const index of collection.indexes.values()) this.#discard('indexes', index.number, count);
    const details = collection.isView ? { details: { view: true } } : {};
    if (published) this.#publish({ kind: 'drop', ns: collection.ns, uuid: collection.uuid, ...details });
  }

  /**
   * Gives a collection another name, under which it is there for all.
   *
   * @param target the collection that has the name; it is dropped
   * @throws DocDbError (73, 13297), WaitFor while a transaction uses one of them, or makes one of that name
   */
  rename(collection: Collection, ns: string, target: Collection | undefined): void {
    checkNamespace(ns);
    this.#checkName(ns);
    for (const transaction of this.#store.openTransactions) if (transaction.created.has(ns)) throw new WaitFor(transaction);
    this.#store.lock(collection);
    if (target) this.drop(target, false);
    const dot = ns.indexOf('.');
    const to = { db: ns.slice(0, dot), coll: ns.slice(dot + 1) };
    const details = { to, ...(target ? { dropTarget: target.uuid } : {}) };
    const { temp: _temp, ...options } = collection.options;
    this.modify(collection, { ns, options }, { kind: 'rename', ns: collection.ns, uuid: collection.uuid, details });
  }

  /** Open transactions have the names of the databases that they make. */
  #checkName(ns: string): void {
    const unseen = [...this.#store.openTransactions].flatMap(({ created }) => [...created.values()]);
    checkDatabaseCase(ns, [...this.#store.newest.collections(), ...unseen]);
  }

  /** Removes the content of an index that no collection has any more. */
  discardIndex(collection: Collection, index: IndexDefinition): void {
    this.#touched();
    this.#discard('indexes', index.number, this.#sizes.of(collection).count);
  }

  #discard(table: NumberedTable, number: number, count: number): void {
    // A document may have many entries.
    if (count > FEW || this.#store.engine.removeSome(table, number, FEW)) this.#store.discardLater(table, number);
  }

  /** Takes collections out of the catalogue, and puts others in. */
  change(removed: readonly Collection[], added: readonly Collection[]): void {
    this.#touched();
    for (const collection of removed) forgetCollection(this.#store.engine, collection);
    for (const collection of added) saveCollection(this.#store.engine, collection);
    this.#store.changeCatalogue(removed, added);
  }
}

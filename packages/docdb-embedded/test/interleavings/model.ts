/** What a session does next. */
export type Step =
  | { readonly kind: 'insert' | 'upsert' | 'set'; readonly id: number; readonly u: number }
  | { readonly kind: 'inc' | 'delete'; readonly id: number }
  | { readonly kind: 'incAll' | 'find' | 'drop' | 'index' | 'dropIndex' | 'begin' | 'commit' | 'abort' | 'retry' };

/** A document of the model. */
export interface ModelDoc {
  readonly u: number;
  readonly n: number;
  readonly version: number;
  /** Stays with the document until it is deleted. */
  readonly record: number;
}

type Docs = Map<number, ModelDoc>;

/** What a step is answered: a count, documents, or the code of an error. */
export interface Outcome {
  readonly n?: number;
  readonly docs?: readonly { readonly _id: number; readonly u: number; readonly n: number }[];
  readonly code?: number;
}

interface ModelTransaction {
  readonly docs: Docs;
  readonly at: number;
  readonly collection: number;
  readonly catalogue: number;
  readonly own: Map<number, ModelDoc | null>;
  readonly claims: Set<string>;
  touched: boolean;
  made: boolean;
}

/** Thrown where a step waits for a session. */
export class Blocked {
  readonly session: number;
  /** Documents that it had found, when it is a write of many: it does not look for others later. */
  found: ReadonlySet<number> | undefined;

  constructor(session: number) {
    this.session = session;
  }
}

class Refused {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

/** One collection, changed by sessions one after the other: what a correct database answers. */
export class Model {
  docs: Docs = new Map();
  /** Number of the collection; 0 while there is none. */
  #collection = 0;
  #made = 0;
  #unique = false;
  #catalogue = 0;
  #version = 0;
  #records = 0;
  #found: ReadonlySet<number> | undefined;
  readonly #open = new Map<number, ModelTransaction>();

  /** Sessions with a transaction. */
  get open(): ReadonlySet<number> {
    return new Set(this.#open.keys());
  }

  /**
   * Carries out a step.
   *
   * @param found records that a write of many had found before it waited
   * @throws Blocked when it waits for the transaction of another session
   */
  run(session: number, step: Step, found?: ReadonlySet<number>): Outcome {
    const transaction = this.#open.get(session);
    this.#found = found;
    try {
      return transaction ? this.#inside(session, transaction, step) : this.#outside(session, step);
    } catch (error) {
      if (error instanceof Blocked && step.kind === 'incAll')
        error.found = found ?? new Set([...this.docs.values()].map((doc) => doc.record));
      if (!(error instanceof Refused)) throw error;
      if (transaction) this.#open.delete(session);
      return { code: error.code };
    }
  }

  #outside(session: number, step: Step): Outcome {
    switch (step.kind) {
      case 'begin':
        this.#open.set(session, {
          docs: new Map(this.docs),
          at: this.#version,
          collection: this.#collection,
          catalogue: this.#catalogue,
          own: new Map(),
          claims: new Set(),
          touched: false,
          made: false,
        });
        return { docs: [] };
      case 'find':
        return { docs: shown(this.docs) };
      case 'drop':
        if (this.#collection === 0) return {};
        this.#lock();
        this.docs = new Map();
        this.#collection = 0;
        this.#unique = false;
        this.#catalogue += 1;
        return {};
      case 'index': {
        this.#make(undefined);
        if (this.#unique) return {};
        this.#lock();
        const values = [...this.docs.values()].map((doc) => doc.u);
        // A build that fails has changed the catalogue and changed it back.
        this.#catalogue += 1;
        if (new Set(values).size < values.length) throw new Refused(11000);
        this.#unique = true;
        return {};
      }
      case 'dropIndex':
        if (this.#collection === 0) throw new Refused(26);
        if (!this.#unique) throw new Refused(27);
        this.#lock();
        this.#unique = false;
        this.#catalogue += 1;
        return {};
      default:
        return this.#write(step, undefined);
    }
  }

  #inside(session: number, transaction: ModelTransaction, step: Step): Outcome {
    switch (step.kind) {
      case 'commit':
        this.#commit(transaction);
        this.#open.delete(session);
        return {};
      case 'abort':
        this.#open.delete(session);
        return {};
      case 'find':
        this.#touch(transaction);
        return { docs: shown(this.#view(transaction)) };
      default:
        return this.#write(step, transaction);
    }
  }

  #touch(transaction: ModelTransaction): void {
    if (transaction.collection !== 0) transaction.touched = true;
  }

  /** Changes of the collection wait for the transactions that have used it. */
  #lock(): void {
    for (const [session, transaction] of this.#open)
      if (transaction.touched && transaction.collection === this.#collection) throw new Blocked(session);
  }

  #view(transaction: ModelTransaction): Docs {
    const view = new Map(transaction.docs);
    for (const [id, doc] of transaction.own) {
      if (doc) view.set(id, doc);
      else view.delete(id);
    }
    return view;
  }

  /** First writer wins: a transaction fails, another write waits. Nobody else is in a collection that a transaction has made. */
  #free(claim: string, transaction: ModelTransaction | undefined): void {
    if (transaction?.made === true) return;
    for (const [session, other] of this.#open) {
      if (other === transaction || !other.claims.has(claim)) continue;
      if (transaction) throw new Refused(112);
      throw new Blocked(session);
    }
  }

  #take(claim: string, transaction: ModelTransaction | undefined): void {
    this.#free(claim, transaction);
    this.#claim(claim, transaction);
  }

  #claim(claim: string, transaction: ModelTransaction | undefined): void {
    if (transaction && !transaction.made) transaction.claims.add(claim);
  }

  #make(transaction: ModelTransaction | undefined): void {
    if (transaction ? transaction.collection !== 0 || transaction.made : this.#collection !== 0) return;
    if (transaction) {
      if (this.#collection !== 0) throw new Refused(112);
      transaction.made = true;
      return;
    }
    this.#collection = ++this.#made;
    this.#catalogue += 1;
  }

  #enter(transaction: ModelTransaction | undefined): void {
    if (!transaction || transaction.made || transaction.collection === 0) return;
    this.#touch(transaction);
    if (transaction.catalogue !== this.#catalogue) throw new Refused(246);
  }

  #write(step: Step, transaction: ModelTransaction | undefined): Outcome {
    const view = transaction ? this.#view(transaction) : this.docs;
    if (transaction) this.#touch(transaction);
    switch (step.kind) {
      case 'insert':
        this.#insert(step.id, { u: step.u, n: 0 }, transaction);
        return { n: 1 };
      case 'upsert':
        if (view.has(step.id)) this.#replace(step.id, view, (doc) => ({ ...doc, u: step.u }), transaction);
        else this.#insert(step.id, { u: step.u, n: 0 }, transaction);
        return { n: 1 };
      case 'set':
        if (!view.has(step.id)) return { n: 0 };
        this.#replace(step.id, view, (doc) => ({ ...doc, u: step.u }), transaction);
        return { n: 1 };
      case 'inc':
        if (!view.has(step.id)) return { n: 0 };
        this.#replace(step.id, view, (doc) => ({ ...doc, n: doc.n + 1 }), transaction);
        return { n: 1 };
      case 'incAll': {
        const ids = [...view].filter(([, doc]) => this.#found?.has(doc.record) ?? true).map(([id]) => id);
        // A write that meets a transaction half way goes on behind it: the end is as if it had not begun.
        if (!transaction) for (const id of ids) this.#checked(id, view, (doc) => doc, undefined);
        for (const id of ids) this.#replace(id, view, (doc) => ({ ...doc, n: doc.n + 1 }), transaction);
        return { n: ids.length };
      }
      case 'delete': {
        const doc = view.get(step.id);
        if (!doc) return { n: 0 };
        this.#claimDocument(step.id, doc, transaction);
        if (transaction) transaction.own.set(step.id, null);
        else this.docs.delete(step.id);
        return { n: 1 };
      }
      default:
        throw new Error(`not a write: ${step.kind}`);
    }
  }

  #claimDocument(id: number, doc: ModelDoc, transaction: ModelTransaction | undefined): void {
    this.#enter(transaction);
    const mine = transaction?.claims.has(`d${String(id)}`) === true;
    this.#take(`d${String(id)}`, transaction);
    if (transaction && !transaction.made && !mine && this.docs.get(id)?.version !== doc.version) throw new Refused(112);
  }

  #insert(id: number, doc: { u: number; n: number }, transaction: ModelTransaction | undefined): void {
    this.#make(transaction);
    this.#enter(transaction);
    this.#checkKeys(id, doc.u, transaction, true);
    this.#claim(`d${String(id)}`, transaction);
    this.#put(id, doc, transaction);
  }

  #replace(id: number, view: Docs, change: (doc: ModelDoc) => { u: number; n: number }, transaction: ModelTransaction | undefined): void {
    this.#put(id, this.#checked(id, view, change, transaction), transaction);
  }

  #checked(
    id: number,
    view: Docs,
    change: (doc: ModelDoc) => { u: number; n: number },
    transaction: ModelTransaction | undefined,
  ): { u: number; n: number } {
    const doc = view.get(id) as ModelDoc;
    const next = change(doc);
    // What stays the same is not written.
    if (next !== doc && next.u === doc.u && next.n === doc.n) return next;
    this.#claimDocument(id, doc, transaction);
    this.#checkKeys(id, next.u, transaction, false);
    return next;
  }

  #checkKeys(id: number, u: number, transaction: ModelTransaction | undefined, inserting: boolean): void {
    if (inserting) this.#holder(id, transaction);
    if (inserting && transaction?.docs.has(id) === true && !transaction.own.has(id)) throw new Refused(112);
    this.#free(`i${String(id)}`, transaction);
    if (inserting && transaction?.own.get(id)) throw new Refused(11000);
    this.#claim(`i${String(id)}`, transaction);
    if (!this.#unique || transaction?.made === true) return;
    for (const [other, doc] of this.docs) if (other !== id && doc.u === u) this.#holder(other, transaction);
    for (const [other, doc] of transaction?.docs ?? [])
      if (other !== id && doc.u === u && transaction?.own.has(other) !== true) throw new Refused(112);
    this.#free(`u${String(u)}`, transaction);
    for (const [other, doc] of transaction?.own ?? []) if (other !== id && doc?.u === u) throw new Refused(11000);
    this.#claim(`u${String(u)}`, transaction);
  }

  /** A committed document has a key: it is refused, unless its owner may give the key back. */
  #holder(id: number, transaction: ModelTransaction | undefined): void {
    const doc = this.docs.get(id);
    if (!doc || transaction?.made === true || transaction?.own.has(id) === true) return;
    this.#free(`d${String(id)}`, transaction);
    throw new Refused(transaction && doc.version > transaction.at ? 112 : 11000);
  }

  #put(id: number, { u, n }: { u: number; n: number }, transaction: ModelTransaction | undefined): void {
    const seen = transaction && this.#view(transaction).get(id);
    if (seen?.u === u && seen.n === n) return;
    if (transaction) {
      const version = transaction.own.get(id)?.version ?? transaction.docs.get(id)?.version ?? 0;
      transaction.own.set(id, { u, n, version, record: this.#recordOf(id, transaction) });
      return;
    }
    const old = this.docs.get(id);
    if (old?.u === u && old.n === n) return;
    this.docs.set(id, { u, n, version: ++this.#version, record: old?.record ?? ++this.#records });
  }

  /** A document that was deleted and made again is another one. */
  #recordOf(id: number, { own, docs }: ModelTransaction): number {
    const mine = own.get(id);
    if (mine !== undefined) return mine?.record ?? ++this.#records;
    return docs.get(id)?.record ?? ++this.#records;
  }

  #commit({ own, made }: ModelTransaction): void {
    if (made) {
      // Who commits first has the name.
      if (this.#collection !== 0) throw new Refused(112);
      this.#collection = ++this.#made;
      this.#catalogue += 1;
    }
    this.#version += 1;
    for (const [id, doc] of own) {
      if (doc) this.docs.set(id, { ...doc, version: this.#version });
      else this.docs.delete(id);
    }
  }
}

function shown(docs: Docs): { _id: number; u: number; n: number }[] {
  return [...docs].map(([_id, { u, n }]) => ({ _id, u, n })).sort((a, b) => a._id - b._id);
}

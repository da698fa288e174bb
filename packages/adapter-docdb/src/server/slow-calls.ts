import type { Collection, Document } from 'mongodb';
import type { Call } from '../operations/call.ts';

/** What the event `slow-call` of an application tells: names, and no values. */
export interface SlowCall {
  /** Path of the service. */
  readonly path: string;
  readonly method: string;
  readonly milliseconds: number;
  /** Names and operators of the query and its order, as JSON; values are `?`. At most 1,000 characters. */
  readonly shape: string;
  /** Name of the index that serves such a query, `null` when every document is looked at; `undefined` when that can not be told. */
  readonly index?: string | null | undefined;
}

/** What kind of call is measured. */
export interface CallKind {
  readonly method: string;
  /** Whether it is about the record of one id. */
  readonly byId?: boolean;
  /** Whether it may have cursors. */
  readonly paging?: boolean;
}

/** Where slow calls are told. */
export interface SlowCallTarget {
  readonly path: string;
  emit(event: 'slow-call', call: SlowCall): unknown;
}

const LONGEST_SHAPE = 1000;
const DEEPEST_SHAPE = 8;
/** Milliseconds in which it is asked once which index serves a shape. */
const ASK_AGAIN = 60_000;
/** Shapes that are remembered. */
const MOST_SHAPES = 200;

/** Tells calls that took long, and asks now and then what they cost the database. */
export class SlowCalls {
  readonly #target: SlowCallTarget;
  readonly #indexes = new Map<string, { readonly until: number; readonly index: Promise<string | null | undefined> }>();

  constructor(target: SlowCallTarget) {
    this.#target = target;
  }

  /**
   * Does the work of a call, and tells it when it took long, also when it failed.
   *
   * @param least milliseconds from which on a call is slow
   */
  async measure<R>(least: number, { method, byId }: CallKind, call: Call, work: (call: Call) => Promise<R>): Promise<R> {
    const begin = performance.now();
    try {
      return await work(call);
    } finally {
      const milliseconds = performance.now() - begin;
      if (milliseconds >= least)
        this.#tell(method, milliseconds, byId === true ? { ...call, filter: { ...call.filter, [call.options.id]: 0 } } : call);
    }
  }

  /** Its caller does not wait for it. */
  #tell(method: string, milliseconds: number, call: Call): void {
    const shape = shapeOf(call);
    // A new record is looked for by nobody.
    const asked = method === 'create' ? Promise.resolve(undefined) : this.#indexFor(shape, call);
    void asked.then((index) => {
      this.#target.emit('slow-call', { path: this.#target.path, method, milliseconds, shape, index });
    });
  }

  #indexFor(shape: string, call: Call): Promise<string | null | undefined> {
    const now = performance.now();
    const known = this.#indexes.get(shape);
    if (known && known.until > now) return known.index;
    if (this.#indexes.size >= MOST_SHAPES) this.#indexes.clear();
    const index = askForIndex(call);
    this.#indexes.set(shape, { until: now + ASK_AGAIN, index });
    return index;
  }
}

/** @returns the query without its values */
function shapeOf({ filter, query }: Call): string {
  const shape = { filter: withoutValues(filter, 0), ...(query.sort ? { sort: query.sort } : {}) };
  const text = JSON.stringify(shape);
  return text.length > LONGEST_SHAPE ? `${text.slice(0, LONGEST_SHAPE - 1)}…` : text;
}

function withoutValues(value: unknown, depth: number): unknown {
  if (depth > DEEPEST_SHAPE) return '…';
  // A list of conditions has names inside; one of values does not.
  if (Array.isArray(value)) return value.some(isPlain) ? value.slice(0, 20).map((each) => withoutValues(each, depth + 1)) : '?';
  if (!isPlain(value)) return '?';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutValues(inner, depth + 1)]));
}

function isPlain(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Plans such a query without running it. */
async function askForIndex({ collection, filter, query, driver }: Call): Promise<string | null | undefined> {
  const { collation } = driver as { readonly collation?: Document };
  try {
    const plan = await explain(collection, { filter, ...(query.sort ? { sort: query.sort } : {}), ...(collation ? { collation } : {}) });
    return indexIn(plan);
  } catch {
    return undefined;
  }
}

function explain(collection: Collection, command: Document): Promise<Document> {
  const find = { find: collection.collectionName, ...command };
  return collection.db.command({ explain: find, verbosity: 'queryPlanner', maxTimeMS: 1000 });
}

/** Of several indexes the first; servers that work on a part of the plan each say the same. */
function indexIn(plan: unknown, depth = 0): string | null | undefined {
  if (typeof plan !== 'object' || plan === null || depth > 12) return undefined;
  const { stage, indexName } = plan as { readonly stage?: unknown; readonly indexName?: unknown };
  if (typeof indexName === 'string') return indexName;
  if (stage === 'COLLSCAN') return null;
  if (stage === 'IDHACK' || stage === 'EXPRESS_IXSCAN') return '_id_';
  let found: string | null | undefined;
  for (const [name, inner] of Object.entries(plan)) {
    if (name === 'rejectedPlans') continue;
    const index = indexIn(inner, depth + 1);
    if (typeof index === 'string') return index;
    if (index === null) found = null;
  }
  return found;
}

import { collatorFor, type Collator } from '../bson/collation.ts';
import { hashKey } from '../bson/hash-key.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { compileFilter, type Predicate } from '../query/matcher.ts';
import { EMPTY_ARRAY_KEY, indexValues } from '../query/path-values.ts';
import { compareKeys } from '../query/sort.ts';
import { OrderedList } from './ordered-list.ts';
import type { StoredRecord } from './record.ts';

/** One key of an index and the record it leads to. */
export interface IndexEntry {
  readonly key: readonly Value[];
  readonly record: StoredRecord;
}

/** One field of an index. */
export interface IndexField {
  readonly name: string;
  readonly path: readonly string[];
  readonly direction: 1 | -1;
}

/** An index of a collection: its entries in order. Holds committed documents only. */
export class CollectionIndex {
  readonly spec: Doc;
  readonly name: string;
  readonly fields: readonly IndexField[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial: Predicate | undefined;
  readonly collator: Collator | undefined;
  /** Weights of the fields of a text index. */
  readonly textWeights: Readonly<Record<string, number>> | undefined;
  readonly entries: OrderedList<IndexEntry>;
  /** Whether some document has an array in an indexed field. */
  multikey = false;

  constructor(spec: Doc) {
    this.spec = spec;
    this.name = spec.name as string;
    const key = spec.key as Doc;
    this.textWeights = textWeights(key, spec);
    this.fields = this.textWeights
      ? []
      : Object.keys(key).map(
          (name) =>
            ({ name, path: name.split('.'), direction: key[name] === 'hashed' || Number(String(key[name])) >= 0 ? 1 : -1 }) as const,
        );
    this.unique = spec.unique === true;
    this.sparse = spec.sparse === true;
    this.collator = collatorFor(spec.collation);
    this.partial = isDocument(spec.partialFilterExpression)
      ? compileFilter(spec.partialFilterExpression, { collator: this.collator })
      : undefined;
    this.entries = new OrderedList((a, b) => this.compare(a.key, b.key, this.fields.length) || a.record.order - b.record.order);
  }

  /** Compares the first fields of two keys in the order of the index. */
  compare(a: readonly Value[], b: readonly Value[], count: number): number {
    for (let index = 0; index < count; index++) {
      const order = compareKeys(a[index], b[index], this.collator);
      if (order !== 0) return order * (this.fields[index] as IndexField).direction;
    }
    return 0;
  }

  /**
   * The keys of a document; none when the index leaves it out.
   *
   * @throws DocDbError (171) for arrays in two fields
   */
  keysOf(doc: Doc): Value[][] {
    if (this.fields.length === 0 || (this.partial && !this.partial(doc))) return [];
    const lists = this.fields.map(({ name, path }) =>
      path.length === 1 && !Array.isArray(doc[name]) ? [doc[name]] : indexValues(doc, path),
    );
    if (this.sparse && lists.every((list) => list.every((value) => value === undefined))) return [];
    const several = this.fields.filter((_field, index) => (lists[index] as Value[]).length > 1);
    if (several.length > 0 || lists.some((list) => list[0] === EMPTY_ARRAY_KEY)) this.multikey = true;
    const roots = new Set(several.map((field) => field.path[0]));
    if (roots.size > 1) throw new DocDbError(171, `cannot index parallel arrays [${[...roots].join('] [')}]`);
    return lists.reduce<Value[][]>((keys, list) => keys.flatMap((key) => distinct(list).map((value) => [...key, value])), [[]]);
  }

  add(record: StoredRecord, doc: Doc): void {
    for (const key of this.keysOf(doc)) this.entries.add({ key, record });
  }

  remove(record: StoredRecord, doc: Doc): void {
    for (const key of this.keysOf(doc)) this.entries.remove({ key, record });
  }

  /** @returns the records that have exactly this key */
  *recordsWith(key: readonly Value[]): Generator<StoredRecord, void> {
    const count = this.fields.length;
    const found = this.entries.range(
      (entry) => this.compare(entry.key, key, count) < 0,
      (entry) => this.compare(entry.key, key, count) > 0,
    );
    for (const entry of found) yield entry.record;
  }
}

function distinct(list: readonly Value[]): readonly Value[] {
  if (list.length < 2) return list;
  const seen = new Set<string>();
  return list.filter((value) => {
    const key = value === EMPTY_ARRAY_KEY ? 'empty' : hashKey(value);
    return !seen.has(key) && seen.add(key);
  });
}

function textWeights(key: Doc, spec: Doc): Record<string, number> | undefined {
  const names = Object.keys(key).filter((name) => key[name] === 'text');
  if (names.length === 0) return undefined;
  const given = isDocument(spec.weights) ? spec.weights : {};
  return Object.fromEntries(names.map((name) => [name, isNumber(given[name]) ? Number(String(given[name])) : 1]));
}

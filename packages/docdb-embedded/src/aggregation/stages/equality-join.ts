import { BSONRegExp, type Doc, isDocument, type Value } from '../../bson/values.ts';
import { pathValues } from '../../query/path-values.ts';
import { hasOperators } from '../../query/value-tests.ts';
import { filterWith } from '../filter-with.ts';
import { HashJoin } from '../hash-join.ts';
import type { PipelineCollection, PipelineContext } from '../pipeline-types.ts';
import type { InTurns } from './in-turns.ts';
import { FEW } from './join-source.ts';

/** The values that a document can be found by: an array by each of its elements and by itself; missing is found by null. */
function foreignValues(doc: Doc, path: readonly string[]): Value[] {
  const found = pathValues(doc, path);
  if (found.length === 0) return [null];
  return found.flatMap((value) => (Array.isArray(value) ? [...(value as Value[]), value] : [value ?? null]));
}

/** The values that a document looks for: an array stands for its elements alone; one that has no value at all looks for null. */
export function localValues(doc: Doc, path: readonly string[]): Value[] {
  const values = pathValues(doc, path).flatMap((value) => (Array.isArray(value) ? (value as Value[]) : value === undefined ? [] : [value]));
  return values.length === 0 ? [null] : values;
}

/** Finds the documents of another collection whose field equals one of some values. */
export class EqualityJoin {
  readonly #collection: PipelineCollection;
  readonly #field: string;
  readonly #context: PipelineContext;
  readonly #table: HashJoin;
  #seen: number;

  /** @param seen documents that will ask in any case */
  constructor(collection: PipelineCollection, field: string, context: PipelineContext, seen = 0) {
    this.#collection = collection;
    this.#field = field;
    this.#context = context;
    this.#seen = seen;
    const path = field.split('.');
    const { collator } = context.scope;
    this.#table = new HashJoin({ read: () => collection.steps({}, collator), valuesOf: (doc) => foreignValues(doc, path), collator });
  }

  /** @returns what each list of values finds; what comes in several steps reads the other collection once */
  *find(lists: readonly (readonly Value[])[]): InTurns<Doc[][]> {
    const { scope } = this.#context;
    const filters = lists.map((values) => equalFilter(this.#field, values));
    this.#seen += lists.length;
    if (this.#seen <= FEW || this.#collection.hasIndex(this.#field, scope.collator)) {
      const found: Doc[][] = [];
      for (const filter of filters) found.push(yield* this.#collection.findInTurns(filter, scope.collator, {}));
      return found;
    }
    return yield* this.#table.find(lists.map((values, at) => ({ values, test: filterWith(filters[at] ?? {}, scope, {}) })));
  }
}

/** A list of values takes patterns for what they find, and no operators. */
export function equalFilter(field: string, values: readonly Value[]): Doc {
  const isPlain = (value: Value): boolean => !(value instanceof BSONRegExp || (isDocument(value) && hasOperators(value)));
  return values.every(isPlain) ? { [field]: { $in: values } } : { $or: values.map((value) => ({ [field]: { $eq: value } })) };
}

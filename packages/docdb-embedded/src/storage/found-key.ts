import { indexHash } from '../bson/index-hash.ts';
import type { Doc, Value } from '../bson/values.ts';
import { EMPTY_ARRAY_KEY } from '../query/path-values.ts';
import type { IndexDefinition } from './index-definition.ts';
import { byteRange } from './keys/index-key.ts';
import type { Plan } from './plan.ts';

/**
 * The key by which a plan found a document: of several that an array gives, the first one on the way through the index.
 *
 * @returns the fields of the index and their values, null for an empty array; `undefined` where no index of fields was used
 */
export function foundKey(plan: Plan, doc: Doc): Doc | undefined {
  if (plan.kind === 'id') return { _id: doc._id };
  if (plan.kind !== 'index' || plan.index.fields.length === 0) return undefined;
  const { index, ranges, reverse } = plan;
  const parts = ranges.map((range) => byteRange(range, index));
  const keys = index.valuesOf(doc).map((values) => ({ values, bytes: index.keyOf(values).bytes }));
  const inside = keys.filter(({ bytes }) =>
    parts.some(({ start, end }) => start.compare(bytes) <= 0 && (end.length === 0 || bytes.compare(end) < 0)),
  );
  // What a transaction has changed is found without the index.
  const ordered = (inside.length > 0 ? inside : keys).sort((a, b) => a.bytes.compare(b.bytes));
  const found = ordered.at(reverse ? -1 : 0);
  return found && named(index, found.values);
}

function named({ fields, spec }: IndexDefinition, values: readonly Value[]): Doc {
  const shown = (name: string, value: Value): Value => ((spec.key as Doc)[name] === 'hashed' ? indexHash(value) : (value ?? null));
  return Object.fromEntries(fields.map(({ name }, at) => [name, values[at] === EMPTY_ARRAY_KEY ? null : shown(name, values[at])]));
}

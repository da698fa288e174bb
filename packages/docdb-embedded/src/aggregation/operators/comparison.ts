import type { Collator } from '../../bson/collation.ts';
import { compare, equal } from '../../bson/compare.ts';
import type { Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { isTrue } from '../truth.ts';
import type { Operator } from '../operators.ts';
import { between, fixed } from './define.ts';

function ordered(accept: (order: number) => boolean): Operator {
  return fixed(2, ([a, b], collator) => accept(compare(a, b, collator)));
}

function arrays(name: string, args: readonly Value[]): Value[][] {
  return args.map((value) => {
    if (!Array.isArray(value)) throw new DocDbError(17044, `All operands of ${name} must be arrays.`);
    return value as Value[];
  });
}

function has(list: readonly Value[], value: Value, collator: Collator | undefined): boolean {
  return list.some((entry) => equal(entry, value, collator));
}

function unique(list: readonly Value[], collator: Collator | undefined): Value[] {
  const sorted = [...list].sort((a, b) => compare(a, b, collator));
  return sorted.filter((value, index) => index === 0 || !equal(value, sorted[index - 1], collator));
}

function nullable(name: string, of: (lists: Value[][], collator: Collator | undefined) => Value): Operator['of'] {
  return (args, collator) => (args.some((value) => value === null || value === undefined) ? null : of(arrays(name, args), collator));
}

/** Comparison, boolean and set operators. */
export const comparisonOperators: Readonly<Record<string, Operator>> = {
  $cmp: fixed(2, ([a, b], collator) => Math.sign(compare(a, b, collator))),
  $eq: ordered((order) => order === 0),
  $ne: ordered((order) => order !== 0),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $not: fixed(1, ([value]) => !isTrue(value)),
  $setEquals: between(2, Infinity, (args, collator) => {
    const [first = [], ...rest] = arrays('$setEquals', args).map((list) => unique(list, collator));
    return rest.every((list) => list.length === first.length && list.every((value, index) => equal(value, first[index], collator)));
  }),
  $setIntersection: between(
    0,
    Infinity,
    nullable('$setIntersection', ([first = [], ...rest], collator) =>
      unique(first, collator).filter((value) => rest.every((list) => has(list, value, collator))),
    ),
  ),
  $setUnion: between(
    0,
    Infinity,
    nullable('$setUnion', (lists, collator) => unique(lists.flat(1), collator)),
  ),
  $setDifference: fixed(
    2,
    nullable('$setDifference', ([first = [], second = []], collator) => {
      const kept: Value[] = [];
      for (const value of first) if (!has(second, value, collator) && !has(kept, value, collator)) kept.push(value);
      return kept;
    }),
  ),
  $setIsSubset: fixed(2, (args, collator) => {
    const [first = [], second = []] = arrays('$setIsSubset', args);
    return first.every((value) => has(second, value, collator));
  }),
  $allElementsTrue: fixed(1, (args) => (arrays('$allElementsTrue', args)[0] ?? []).every(isTrue)),
  $anyElementTrue: fixed(1, (args) => (arrays('$anyElementTrue', args)[0] ?? []).some(isTrue)),
};

import { compare } from '../../bson/compare.ts';
import { isTrue } from '../truth.ts';
import type { Operator } from '../operators.ts';
import { fixed } from './define.ts';

function ordered(accept: (order: number) => boolean): Operator {
  return fixed(2, ([a, b], collator) => accept(compare(a, b, collator)));
}

/** Comparison operators. */
export const comparisonOperators: Readonly<Record<string, Operator>> = {
  $cmp: fixed(2, ([a, b], collator) => Math.sign(compare(a, b, collator))),
  $eq: ordered((order) => order === 0),
  $ne: ordered((order) => order !== 0),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $not: fixed(1, ([value]) => !isTrue(value)),
};

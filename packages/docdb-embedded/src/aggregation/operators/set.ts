import type { Collator } from '../../bson/collation.ts';
import { typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { uniqueValues, ValueSet } from '../../query/value-set.ts';
import { isTrue } from '../truth.ts';
import { LastList } from '../last-list.ts';
import type { Operator } from '../operators.ts';
import { between, fixed, isNullish } from './define.ts';

function listOf(value: Value, code: number, name: string): readonly Value[] {
  if (Array.isArray(value)) return value as Value[];
  throw new DocDbError(code, `All operands of ${name} must be arrays. One argument is of type: ${typeName(value)}`);
}

/** Tells whether a value is among others. */
function membership(list: readonly Value[], collator: Collator | undefined, last: LastList): (value: Value) => boolean {
  const values = last.valuesOf(list, collator);
  return (value) => values.has(value);
}

/** An operator whose last list is often the same for many documents. */
function ofLists(
  min: number,
  max: number,
  of: (args: readonly Value[], collator: Collator | undefined, last: LastList) => Value,
): Operator {
  const ofOne = (): Operator['of'] => {
    const last = new LastList();
    return (args, collator) => of(args, collator, last);
  };
  return { min, max, of: ofOne(), ofOne };
}

function setEquals(args: readonly Value[], collator: Collator | undefined): Value {
  const [first = [], ...rest] = args.map((value) => uniqueValues(listOf(value, 17044, '$setEquals'), collator));
  const values = new ValueSet(first, collator);
  return rest.every((list) => list.length === first.length && list.every((value) => values.has(value)));
}

function setIntersection(args: readonly Value[], collator: Collator | undefined, last: LastList): Value {
  let result: readonly Value[] | undefined;
  for (const value of args) {
    if (isNullish(value)) return null;
    const list = listOf(value, 17047, '$setIntersection');
    result = result ? result.filter(membership(list, collator, last)) : uniqueValues(list, collator);
  }
  return result ?? [];
}

function setUnion(args: readonly Value[], collator: Collator | undefined): Value {
  const all: Value[] = [];
  for (const value of args) {
    if (isNullish(value)) return null;
    for (const entry of listOf(value, 17043, '$setUnion')) all.push(entry);
  }
  return uniqueValues(all, collator);
}

function setDifference([first, second]: readonly Value[], collator: Collator | undefined, last: LastList): Value {
  if (isNullish(first) || isNullish(second)) return null;
  const left = listOf(first, 17048, '$setDifference');
  const inSecond = membership(listOf(second, 17049, '$setDifference'), collator, last);
  return uniqueValues(left, collator).filter((value) => !inSecond(value));
}

function setIsSubset([first, second]: readonly Value[], collator: Collator | undefined, last: LastList): Value {
  const left = listOf(first, 17046, '$setIsSubset');
  return left.every(membership(listOf(second, 17042, '$setIsSubset'), collator, last));
}

/** Operators on lists as sets. */
export const setOperators: Readonly<Record<string, Operator>> = {
  $setEquals: { ...between(2, Infinity, setEquals), arity: 17045, check: (value) => void listOf(value, 5887502, '$setEquals') },
  $setIntersection: ofLists(0, Infinity, setIntersection),
  $setUnion: between(0, Infinity, setUnion),
  $setDifference: ofLists(2, 2, setDifference),
  $setIsSubset: ofLists(2, 2, setIsSubset),
  $allElementsTrue: fixed(1, ([list]) => listOf(list, 17040, '$allElementsTrue').every(isTrue)),
  $anyElementTrue: fixed(1, ([list]) => listOf(list, 17041, '$anyElementTrue').some(isTrue)),
};

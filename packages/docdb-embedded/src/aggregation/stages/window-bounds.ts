import { add, type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { compare } from '../../bson/compare.ts';
import { type Doc, isDocument, isNumber, type Value, typeName } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { constantValue, type ExpressionScope } from '../expression.ts';
import { timeUnit } from '../operators/date-arguments.ts';
import { shiftDate } from '../operators/date-arithmetic.ts';
import type { WindowScope } from './window-functions.ts';

/** The places of the first and the last document of a window; the last is before the first when there is none. */
export type Bounds = (index: number, sortValues: readonly Value[]) => readonly [number, number];

type Bound = 'unbounded' | 'current' | Numeric;

const WHOLE: Bounds = (_index, values) => [0, values.length - 1];

/**
 * Reads the `window` of a window function.
 *
 * @throws DocDbError (9, 5339900, 5339901, 5339902, 5397908, 5429414, 8947401)
 */
export function windowBounds(spec: Value, { scope, sorted, isOrdered }: WindowScope): Bounds {
  if (spec === undefined) return WHOLE;
  if (!isDocument(spec)) throw failedToParse("'window' field must be an object");
  const { documents, range, unit } = spec;
  for (const name of Object.keys(spec))
    if (name !== 'documents' && name !== 'range' && name !== 'unit')
      throw failedToParse(`Window bounds can only have a 'documents', 'range' or 'unit' field, not '${name}'`);
  if (documents !== undefined && range !== undefined)
    throw failedToParse("Window bounds can specify either 'documents' or 'unit', not both.");
  if (documents !== undefined) {
    if (unit !== undefined) throw failedToParse("Window bounds can only specify 'unit' with range-based bounds.");
    return byDocuments(boundPair(documents, scope), isOrdered);
  }
  if (range === undefined) {
    if (unit !== undefined) throw failedToParse("Window bounds can only specify 'unit' with range-based bounds.");
    return WHOLE;
  }
  return byRange(boundPair(range, scope), unit, sorted);
}

function boundPair(value: Value, scope: ExpressionScope): readonly [Bound, Bound] {
  if (!Array.isArray(value) || value.length !== 2) throw failedToParse('Window bounds must be a 2-element array');
  const [low, high] = [boundOf(value[0], scope), boundOf(value[1], scope)];
  const place = (bound: Bound, unbounded: number): number =>
    bound === 'unbounded' ? unbounded : bound === 'current' ? 0 : toNumber(bound);
  if (place(low, -Infinity) > place(high, Infinity)) throw new DocDbError(5339900, 'Lower bound must not exceed upper bound');
  return [low, high];
}

/** A bound is a number, as it is or worked out of constants. */
function boundOf(given: Value, scope: ExpressionScope): Bound {
  if (given === 'unbounded' || given === 'current' || isNumber(given)) return given;
  const bound = isDocument(given) ? constantValue(given, scope) : undefined;
  if (isNumber(bound)) return bound;
  throw failedToParse("Window bounds must be 'unbounded', 'current', or a number.");
}

function byDocuments([low, high]: readonly [Bound, Bound], isOrdered: boolean): Bounds {
  const bounded = low !== 'unbounded' || high !== 'unbounded';
  if (bounded && !isOrdered) throw new DocDbError(5339901, 'Document-based bounds require a sortBy');
  for (const bound of [low, high])
    if (isNumber(bound) && !Number.isInteger(toNumber(bound))) throw failedToParse('Numeric document-based bounds must be an integer');
  const place = (bound: Bound, index: number, unbounded: number): number =>
    bound === 'unbounded' ? unbounded : bound === 'current' ? index : index + toNumber(bound);
  return (index, values) => [Math.max(0, place(low, index, 0)), Math.min(values.length - 1, place(high, index, values.length - 1))];
}

function byRange([low, high]: readonly [Bound, Bound], unit: Value, sorted: readonly boolean[]): Bounds {
  if (sorted.length === 1 && sorted[0] !== true) throw new DocDbError(8947401, 'Range-based bounds require sortBy in ascending order');
  if (sorted.length !== 1) throw new DocDbError(5339902, 'Range-based bounds require sortBy a single field in ascending order');
  const unitName = unit === undefined ? undefined : timeUnit(unit, 9);
  if (unitName !== undefined)
    for (const bound of [low, high])
      if (isNumber(bound) && !Number.isInteger(toNumber(bound)))
        throw new DocDbError(8947401, "With 'unit', range-based bounds must be an integer");
  const edge = (bound: Numeric, value: Value): Value =>
    unitName === undefined ? add(value as Numeric, bound) : shiftDate(value as Date, unitName, toNumber(bound));
  return (index, values) => {
    const value = values[index];
    checkRanged(value, unitName);
    // `current` is the document itself, and 0 all those that tie with it.
    const from = low === 'current' ? index : low === 'unbounded' ? 0 : firstAtLeast(values, edge(low, value));
    const to = high === 'current' ? index : high === 'unbounded' ? values.length - 1 : firstAbove(values, edge(high, value)) - 1;
    return [from, to];
  };
}

/** @throws DocDbError (5429413, 5429414, 5429513) for a document that has no place in a range, whatever its bounds are */
function checkRanged(value: Value, unit: string | undefined): void {
  if (unit === undefined && value instanceof Date)
    throw new DocDbError(5429413, 'For windows that involve date or time ranges, a unit must be provided.');
  if (unit === undefined && !isNumber(value)) throw new DocDbError(5429414, 'Invalid range: Expected the sortBy field to be a number');
  if (unit !== undefined && !(value instanceof Date))
    throw new DocDbError(5429513, `Invalid range: Expected the sortBy field to be a Date, but it was ${typeName(value)}`);
}

/** @returns the first place in an ascending list that a test holds for */
function firstWhere(values: readonly Value[], test: (value: Value) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(values[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstAtLeast(values: readonly Value[], edge: Value): number {
  return firstWhere(values, (value) => compare(value ?? null, edge ?? null) >= 0);
}

function firstAbove(values: readonly Value[], edge: Value): number {
  return firstWhere(values, (value) => compare(value ?? null, edge ?? null) > 0);
}

/**
 * @param known the names that options may have
 * @returns the options of a window function
 * @throws FailedToParse (9) for what is no document of such options
 */
export function optionsOf(value: Value, name: string, known: readonly string[]): Doc {
  if (!isDocument(value)) throw failedToParse(`Argument to ${name} must be an object`);
  const unknown = Object.keys(value).find((option) => !known.includes(option));
  if (unknown !== undefined) throw failedToParse(`Unknown argument in ${name}: ${unknown}`);
  return value;
}

/** @throws DocDbError (9) for a window that may leave out the document that it is the window of */
export function checkHoldsCurrent(window: Value, name: string, scope: ExpressionScope): void {
  const pair = isDocument(window) ? (window.documents ?? window.range) : undefined;
  if (pair === undefined) return;
  const [low, high] = boundPair(pair, scope);
  if ((isNumber(low) && toNumber(low) > 0) || (isNumber(high) && toNumber(high) < 0))
    throw failedToParse(`The window of ${name} must hold the document that it is worked out for`);
}

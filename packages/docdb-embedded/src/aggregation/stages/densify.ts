import { add, multiply, type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { compare } from '../../bson/compare.ts';
import { isWhole } from '../../bson/rounding.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { tick } from '../../interrupt.ts';
import { fieldPath } from '../field-path.ts';
import { compileExpression } from '../expression.ts';
import { timeUnit, unitMilliseconds } from '../operators/date-arguments.ts';
import { shiftDate } from '../operators/date-arithmetic.ts';
import { isNullish } from '../operators/define.ts';
import { partitions } from '../partitions.ts';
import type { StageCompiler } from '../pipeline-types.ts';
import { withPath } from '../set-path.ts';
import { partitionExpression } from './fill.ts';

/** Documents that one stage may make. */
const MOST = 500_000;

/** The values between which documents are made. */
interface Range {
  readonly from: Value;
  readonly to: Value;
  /** Whether one may have the last value itself. */
  readonly closed: boolean;
}

interface Steps {
  readonly step: Numeric;
  readonly unit: string | undefined;
}

function stepsOf({ step, unit }: Doc): Steps {
  if (!isNumber(step) || !(toNumber(step) > 0)) throw new DocDbError(5733401, "the 'step' of $densify must be a number above zero");
  if (unit === undefined) return { step, unit: undefined };
  const name = timeUnit(unit, 14);
  if (!isWhole(step)) throw new DocDbError(6586400, "the 'step' of $densify must be whole where a unit is given");
  return { step, unit: name };
}

function boundsOf({ bounds }: Doc, { unit }: Steps): 'full' | 'partition' | Range {
  if (bounds === 'full' || bounds === 'partition') return bounds;
  if (typeof bounds === 'string') throw new DocDbError(5946802, "the 'bounds' of $densify must be 'full', 'partition' or a list");
  if (!Array.isArray(bounds) || bounds.length !== 2) throw new DocDbError(5733403, "the 'bounds' of $densify must be a list of two values");
  const [from, to] = bounds as Value[];
  const fits = unit === undefined ? isNumber(from) && isNumber(to) : from instanceof Date && to instanceof Date;
  if (!fits) throw new DocDbError(5733402, "the 'bounds' of $densify must be two numbers, or with a unit two dates");
  if (compare(from, to) > 0) throw new DocDbError(5733404, "the 'bounds' of $densify must ascend");
  return { from, to, closed: false };
}

/** @throws DocDbError (5733201, 6053600) for a value between which there are no steps */
function checkValue(value: Value, { unit }: Steps): void {
  if (unit === undefined && !isNumber(value))
    throw new DocDbError(value instanceof Date ? 6053600 : 5733201, 'Densify field type must be numeric, or a date where a unit is given');
  if (unit !== undefined && !(value instanceof Date))
    throw new DocDbError(6053600, 'Densify field type must be a date where a unit is given');
}

function valueAt(from: Value, count: number, { step, unit }: Steps): Value {
  if (from instanceof Date && unit !== undefined) return shiftDate(from, unit, toNumber(step) * count);
  return isNumber(from) ? add(from, multiply(step, count)) : from;
}

/** Longest spans of units, in milliseconds. */
const LONGEST: Readonly<Record<string, number>> = { month: 31 * 86_400_000, quarter: 92 * 86_400_000, year: 366 * 86_400_000 };

/** @returns how many values there are in a range at least: infinitely many where no step leads from its beginning to its end */
function leastValues(range: Range, steps: Steps): number {
  if (compare(range.from, range.to) === 0) return 0;
  const count = valuesBetween(range, steps);
  return Number.isNaN(count) ? Infinity : count;
}

function valuesBetween({ from, to }: Range, { step, unit }: Steps): number {
  if (isNumber(from) && isNumber(to)) return Math.floor((toNumber(to) - toNumber(from)) / toNumber(step));
  if (!(from instanceof Date) || !(to instanceof Date) || unit === undefined) return 0;
  return Math.floor((to.getTime() - from.getTime()) / ((unitMilliseconds(unit) ?? LONGEST[unit] ?? Infinity) * toNumber(step)));
}

function tooMany(made: number): DocDbError {
  return new DocDbError(5897900, `Generated ${String(made)} documents in $densify, which is over the limit of ${String(MOST)}`);
}

const densify: StageCompiler = (operand, { scope }) => {
  const { field, partitionByFields, range } = operand as Doc;
  const path = fieldPath(String(field));
  const of = compileExpression(`$${String(field)}`, scope);
  const by = partitionExpression(partitionByFields, scope);
  const names = Array.isArray(partitionByFields) ? partitionByFields.map(String) : [];
  if (names.some((name) => name === field || name.startsWith(`${String(field)}.`) || String(field).startsWith(`${name}.`)))
    throw new DocDbError(8993000, '$densify may not be divided by the field that it fills');
  const copied = names.map((name) => [fieldPath(name), compileExpression(`$${name}`, scope)] as const);
  const steps = stepsOf(isDocument(range) ? range : {});
  const bounds = boundsOf(isDocument(range) ? range : {}, steps);
  return (docs, vars) => {
    const valueOf = (root: Doc): Value => of({ root, vars });
    const known = docs.filter((doc) => !isNullish(valueOf(doc)));
    for (const doc of known) checkValue(valueOf(doc), steps);
    const span = (among: readonly Doc[]): Range | undefined => {
      const values = among.map(valueOf).sort((a, b) => compare(a, b));
      return values.length === 0 ? undefined : { from: values[0], to: values.at(-1), closed: true };
    };
    const full = bounds === 'full' ? span(known) : undefined;
    let made = 0;
    const filled = (members: readonly Doc[]): Doc[] => {
      const within = bounds === 'full' ? full : bounds === 'partition' ? span(members) : bounds;
      const sorted = [...members].sort((a, b) => compare(valueOf(a), valueOf(b)));
      const values = sorted.map(valueOf);
      // Making them all takes seconds, in which nobody else has a turn.
      if (within && made + leastValues(within, steps) - sorted.length > MOST) throw tooMany(MOST + 1);
      const partitionOf = (root: Doc | undefined): Doc =>
        root ? copied.reduce<Doc>((doc, [to, from]) => withPath(doc, to, from({ root, vars })), {}) : {};
      const result: Doc[] = [];
      let next = 0;
      for (let count = 0; within; count++) {
        tick();
        const value = valueAt(within.from, count, steps);
        const order = compare(value, within.to);
        // What is there of the last value is behind all that is made.
        if (order > 0 || (order === 0 && (!within.closed || compare(within.from, within.to) === 0))) break;
        while (next < sorted.length && compare(values[next], value) < 0) result.push(sorted[next++] as Doc);
        if (next < sorted.length && compare(values[next], value) === 0) continue;
        if (++made > MOST) throw tooMany(made);
        // With a collation the names of a partition differ: those of the document that comes next.
        result.push(withPath(partitionOf(sorted[next] ?? sorted.at(-1)), path, value));
      }
      return [...result, ...sorted.slice(next)];
    };
    const empty = docs.filter((doc) => isNullish(valueOf(doc)));
    const groups = partitions(known, vars, by, scope.collator);
    const all = groups.length === 0 && typeof bounds === 'object' && names.length === 0 ? [[]] : groups;
    return [...empty, ...all.flatMap(filled)];
  };
};

/** Stages that make documents between others. */
export const densifyStages: Readonly<Record<string, StageCompiler>> = { $densify: densify };

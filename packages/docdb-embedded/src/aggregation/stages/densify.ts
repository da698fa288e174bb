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
import { divisionKey, inSteps, type Keyed, stageInOrder } from '../in-order.ts';
import { isNullish } from '../operators/define.ts';
import type { StageCompiler } from '../pipeline-types.ts';
import { withPath } from '../set-path.ts';
import { partitionExpression } from './fill.ts';

/** Documents that one stage may make. */
const MOST = 500_000;

/** The values between which documents are made; without a last one as far as there are documents. */
interface Range {
  readonly from: Value;
  readonly to?: Value;
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

/** @returns how many values there are from one to another at least: infinitely many where no step leads there */
function leastValues(from: Value, to: Value, steps: Steps): number {
  if (compare(from, to) === 0) return 0;
  const count = valuesBetween(from, to, steps);
  return Number.isNaN(count) ? Infinity : count;
}

function valuesBetween(from: Value, to: Value, { step, unit }: Steps): number {
  if (isNumber(from) && isNumber(to)) return Math.floor((toNumber(to) - toNumber(from)) / toNumber(step));
  if (!(from instanceof Date) || !(to instanceof Date) || unit === undefined) return 0;
  return Math.floor((to.getTime() - from.getTime()) / ((unitMilliseconds(unit) ?? LONGEST[unit] ?? Infinity) * toNumber(step)));
}

/** The values of a range, one after the other. */
class Series {
  /** Missing behind the last one. */
  value: Value;
  readonly #range: Range;
  readonly #steps: Steps;
  #count = 0;

  constructor(range: Range, steps: Steps) {
    this.#range = range;
    this.#steps = steps;
    this.value = this.#within(range.from);
  }

  advance(): void {
    this.value = this.#within(valueAt(this.#range.from, ++this.#count, this.#steps));
  }

  #within(value: Value): Value {
    const { from, to, closed } = this.#range;
    if (to === undefined) return value;
    const order = compare(value, to);
    // What is there of the last value is behind all that is made.
    return order < 0 || (order === 0 && closed && compare(from, to) !== 0) ? value : undefined;
  }
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
  return stageInOrder({
    directions: [{ direction: 1 }, { direction: 1 }],
    collator: scope.collator,
    valuesOf: (root) => [of({ root, vars: {} })],
    begin(vars) {
      const valueOf = (root: Doc): Value => of({ root, vars });
      const partitionOf = (root: Doc | undefined): Doc =>
        root ? copied.reduce<Doc>((doc, [to, from]) => withPath(doc, to, from({ root, vars })), {}) : {};
      let full: Range | undefined;
      let made = 0;
      return {
        keyed(doc) {
          const value = valueOf(doc);
          if (isNullish(value)) return undefined;
          checkValue(value, steps);
          full = full ? widened(full, value) : { from: value, to: value, closed: true };
          return { doc, key: divisionKey(doc, vars, by) };
        },
        results: (sorted, count) => inSteps(filled(sorted, count)),
      };

      function* filled(sorted: Iterable<Keyed>, count: number): Generator<Doc, void> {
        let before: Keyed | undefined;
        let series = typeof bounds === 'object' && count === 0 && names.length === 0 ? begun(bounds, count) : undefined;
        for (const row of sorted) {
          const value = valueOf(row.doc);
          if (!before || compare(before.key, row.key, scope.collator) !== 0) {
            yield* rest(series, before?.doc);
            series = begun(typeof bounds === 'object' ? bounds : bounds === 'full' ? full : { from: value, closed: true }, count);
          }
          // With a collation the names of a partition differ: those of the document that comes next.
          yield* upTo(series, value, row.doc);
          yield row.doc;
          before = row;
        }
        yield* rest(series, before?.doc);
      }

      function begun(range: Range | undefined, count: number): Series | undefined {
        // Making them all takes seconds.
        if (range?.to !== undefined && made + leastValues(range.from, range.to, steps) - count > MOST) throw tooMany(MOST + 1);
        return range && new Series(range, steps);
      }

      function* upTo(series: Series | undefined, next: Value, source: Doc): Generator<Doc, void> {
        if (bounds === 'partition' && made + leastValues(series?.value, next, steps) > MOST) throw tooMany(MOST + 1);
        while (series?.value !== undefined && compare(series.value, next) < 0) {
          yield at(series.value, source);
          series.advance();
        }
        if (series?.value !== undefined && compare(series.value, next) === 0) series.advance();
      }

      function* rest(series: Series | undefined, source: Doc | undefined): Generator<Doc, void> {
        if (bounds === 'partition') return;
        while (series?.value !== undefined) {
          yield at(series.value, source);
          series.advance();
        }
      }

      function at(value: Value, source: Doc | undefined): Doc {
        tick();
        if (++made > MOST) throw tooMany(made);
        return withPath(partitionOf(source), path, value);
      }
    },
  });
};

function widened({ from, to }: Range, value: Value): Range {
  return { from: compare(value, from) < 0 ? value : from, to: compare(value, to) >= 0 ? value : to, closed: true };
}

/** Stages that make documents between others. */
export const densifyStages: Readonly<Record<string, StageCompiler>> = { $densify: densify };

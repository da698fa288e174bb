import type { Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { time, timeUnit, unitMilliseconds, weekdayOf, whole, zoneOf } from './date-arguments.ts';
import { dateParts, type DateParts, dayNumber, fromParts, zoneOffset } from './date-parts.ts';
import { givenNullish, isNullish, named } from './define.ts';

/** The last moment that JavaScript has. */
const LAST = 8.64e15;
/** Months in as many milliseconds as a date can be away from another. */
const MOST_MONTHS = 584_942_417 * 12;

function moment(milliseconds: number, code: number, name: string): Date {
  if (!(Math.abs(milliseconds) <= LAST)) throw new DocDbError(code, `${name} overflowed`);
  return new Date(milliseconds);
}

function shifted(start: number, unit: string, amount: number, zone: string): Date {
  const size = unitMilliseconds(unit);
  const made = (milliseconds: number): Date => moment(milliseconds, 5166406, '$dateAdd');
  if (size !== undefined && unit !== 'day' && unit !== 'week') return made(start + amount * size);
  const parts = dateParts(start, zone);
  if (size !== undefined) {
    const days = amount * (unit === 'week' ? 7 : 1);
    if (Math.abs(days) > LAST / 1000) throw new DocDbError(5976500, `invalid $dateAdd 'amount' parameter value: ${String(amount)} ${unit}`);
    return made(fromParts({ ...parts, day: parts.day + days }, zone));
  }
  const steps = amount * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1);
  if (Math.abs(steps) > MOST_MONTHS) throw new DocDbError(5976500, `invalid $dateAdd 'amount' parameter value: ${String(amount)} ${unit}`);
  const months = parts.year * 12 + parts.month - 1 + steps;
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  const last = dayNumber(year, month + 1, 0) - dayNumber(year, month, 0);
  return made(fromParts({ ...parts, year, month, day: Math.min(parts.day, last) }, zone));
}

/** @returns a date some units of time later */
export function shiftDate(start: Date, unit: string, amount: number): Date {
  return shifted(start.getTime(), unit, amount, 'UTC');
}

function add(name: string, direction: 1 | -1): Operator {
  return named(
    ['startDate', 'unit', 'amount', 'timezone'],
    ([start, unit, amount, zone], _collator, given) => {
      if (isNullish(start) || isNullish(unit) || isNullish(amount) || givenNullish(given, 'timezone', zone)) return null;
      const from = time(start, 5166403);
      const unitName = timeUnit(unit);
      return shifted(from, unitName, direction * whole(amount, 5166405, `${name}'s amount`), zoneOf(zone));
    },
    { shape: 5166400, unknown: 5166401, missing: { startDate: 5166402, unit: 5166402, amount: 5166402 } },
  );
}

/** The number of a date's unit, counted from a fixed one. */
function ordinal(parts: DateParts, unit: string, weekStart: number): number {
  const day = dayNumber(parts.year, parts.month, parts.day);
  switch (unit) {
    case 'year':
      return parts.year;
    case 'quarter':
      return parts.year * 4 + Math.floor((parts.month - 1) / 3);
    case 'month':
      return parts.year * 12 + parts.month - 1;
    case 'week':
      // Day 0 was a Thursday.
      return Math.floor((day + 4 - weekStart) / 7);
    default:
      return day;
  }
}

function difference([start, end, unit, zone, startOfWeek]: readonly Value[], given: ReadonlySet<string> | undefined): Value {
  if (isNullish(start) || isNullish(end) || isNullish(unit)) return null;
  if (givenNullish(given, 'timezone', zone)) return null;
  const [from, to] = [time(start, 5166307), time(end, 5166307)];
  const name = timeUnit(unit);
  if (name === 'week' && givenNullish(given, 'startOfWeek', startOfWeek)) return null;
  const week = name === 'week' ? weekdayOf(startOfWeek) : 0;
  const zoneName = zoneOf(zone);
  const size = name === 'day' || name === 'week' ? undefined : unitMilliseconds(name);
  if (size === undefined) return BigInt(ordinal(dateParts(to, zoneName), name, week) - ordinal(dateParts(from, zoneName), name, week));
  // What has passed between the beginnings of both units: an hour that comes twice counts twice.
  const begin = (at: number): number => {
    const offset = name === 'hour' || name === 'minute' ? zoneOffset(at, zoneName) : 0;
    return Math.floor((at + offset) / size) * size - offset;
  };
  return BigInt(Math.round((begin(to) - begin(from)) / size));
}

/** Years from the first to the last date that can be written, as bins of `$dateTrunc` may have. */
const MOST_YEARS = 100_000_000_000;

function truncate([date, unit, binSize, zone, startOfWeek]: readonly Value[], given: ReadonlySet<string> | undefined): Value {
  if (isNullish(date) || isNullish(unit)) return null;
  if (givenNullish(given, 'binSize', binSize) || givenNullish(given, 'timezone', zone)) return null;
  const at = time(date, 5439012);
  const name = timeUnit(unit);
  if (name === 'week' && givenNullish(given, 'startOfWeek', startOfWeek)) return null;
  const size = binSize === undefined ? 1 : whole(binSize, 5439017, '$dateTrunc binSize');
  if (size < 1) throw new DocDbError(5439018, '$dateTrunc requires binSize to be greater than 0');
  if (size > MOST_YEARS && unitMilliseconds(name) === undefined)
    throw new DocDbError(5439006, `$dateTrunc binSize is too large: ${String(size)} ${name}`);
  const unitSize = unitMilliseconds(name);
  if (unitSize !== undefined && size * unitSize >= 2 ** 63)
    throw new DocDbError(5439002, `$dateTrunc binSize is too large: ${String(size)} ${name}`);
  const zoneName = zoneOf(zone);
  return moment(beginOfBin(at, name, size, zoneName, name === 'week' ? weekdayOf(startOfWeek) : 0), 5439005, '$dateTrunc');
}

/** The beginning of the bin that a moment is in. Bins are counted from 1 January 2000. */
function beginOfBin(at: number, unit: string, size: number, zone: string, weekStart: number): number {
  const parts = dateParts(at, zone);
  const midnight = { ...parts, hour: 0, minute: 0, second: 0, millisecond: 0 };
  const bin = (value: number): number => Math.floor(value / size) * size;
  switch (unit) {
    case 'year':
      return fromParts({ ...midnight, year: 2000 + bin(parts.year - 2000), month: 1, day: 1 }, zone);
    case 'quarter':
    case 'month': {
      const months = unit === 'month' ? 1 : 3;
      const count = Math.floor(((parts.year - 2000) * 12 + parts.month - 1) / months);
      return fromParts({ ...midnight, year: 2000, month: bin(count) * months + 1, day: 1 }, zone);
    }
    case 'week':
    case 'day': {
      const days = dayNumber(parts.year, parts.month, parts.day) - dayNumber(2000, 1, 1);
      // 1 January 2000 was a Saturday; weeks are counted from the first week start on or after it.
      const shift = unit === 'week' ? (weekStart - 6 + 7) % 7 : 0;
      const step = unit === 'week' ? 7 * size : size;
      return fromParts({ ...midnight, year: 2000, month: 1, day: 1 + shift + Math.floor((days - shift) / step) * step }, zone);
    }
    default: {
      const step = (unitMilliseconds(unit) ?? 1) * size;
      const origin = fromParts({ year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 }, zone);
      return origin + Math.floor((at - origin) / step) * step;
    }
  }
}

/** The day that weeks begin with is looked at before it is known whether weeks are asked for. */
const EARLY = { name: 'startOfWeek', check: weekdayOf };

/** Operators that count and move in time. */
export const dateArithmeticOperators: Readonly<Record<string, Operator>> = {
  $dateAdd: add('$dateAdd', 1),
  $dateSubtract: add('$dateSubtract', -1),
  $dateDiff: named(['startDate', 'endDate', 'unit', 'timezone', 'startOfWeek'], (args, _collator, given) => difference(args, given), {
    shape: 5166301,
    unknown: 5166302,
    missing: { startDate: 5166303, endDate: 5166304, unit: 5166305 },
    early: EARLY,
  }),
  $dateTrunc: named(['date', 'unit', 'binSize', 'timezone', 'startOfWeek'], (args, _collator, given) => truncate(args, given), {
    shape: 5439007,
    unknown: 5439008,
    missing: { date: 5439009, unit: 5439010 },
    early: EARLY,
  }),
};

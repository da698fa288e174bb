import { type Timestamp as BsonTimestamp, Timestamp, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { time, whole, zoneOf } from './date-arguments.ts';
import { dateParts, type DateParts, dayOfWeek, dayOfYear, fromParts, isoDayNumber, isoWeek } from './date-parts.ts';
import { fixed, givenNullish, isNullish, named } from './define.ts';

function part(of: (parts: DateParts) => Value): Operator {
  return named(
    ['date', 'timezone'],
    ([date, zone], _collator, given) => {
      if (givenNullish(given, 'timezone', zone)) return null;
      const zoneName = zoneOf(zone);
      return isNullish(date) ? null : of(dateParts(time(date), zoneName));
    },
    { unknown: 40535, missing: { date: 40539 } },
  );
}

/** A field of `$dateFromParts`: what it is when it is not given, its least and greatest value where they are bounded, and the code for another. */
interface Field {
  readonly name: string;
  /** Among the operator's arguments. */
  readonly index: number;
  readonly missing: number;
  readonly bounds?: readonly [number, number];
  readonly outside?: number;
}

const SHORT = { bounds: [-32768, 32767], outside: 31034 } as const;
const YEAR: Field = { name: 'year', index: 0, missing: 1970, bounds: [1, 9999], outside: 40523 };
const MONTH: Field = { name: 'month', index: 1, missing: 1, ...SHORT };
const DAY: Field = { name: 'day', index: 2, missing: 1, ...SHORT };
const HOUR: Field = { name: 'hour', index: 3, missing: 0, ...SHORT };
const MINUTE: Field = { name: 'minute', index: 4, missing: 0, ...SHORT };
const SECOND: Field = { name: 'second', index: 5, missing: 0 };
const MILLISECOND: Field = { name: 'millisecond', index: 6, missing: 0 };
const ISO_YEAR: Field = { name: 'isoWeekYear', index: 7, missing: 1970, bounds: [1, 9999], outside: 31095 };
const ISO_WEEK: Field = { name: 'isoWeek', index: 8, missing: 1, ...SHORT };
const ISO_DAY: Field = { name: 'isoDayOfWeek', index: 9, missing: 1, ...SHORT };
const CALENDAR: readonly Field[] = [YEAR, MONTH, DAY];
const ISO: readonly Field[] = [ISO_YEAR, ISO_WEEK, ISO_DAY];
const ZONE = 10;
/** From here days of weeks are counted. */
const ISO_EPOCH = { year: 1970, month: 1 } as const;
const FROM_PARTS = [...[...CALENDAR, HOUR, MINUTE, SECOND, MILLISECOND, ...ISO].map(({ name }) => name), 'timezone'];

function fieldOf({ name, index, missing, bounds, outside = 31034 }: Field, args: readonly Value[]): number {
  const given = args[index];
  if (given === undefined) return missing;
  const value = whole(given, 40515, `'${name}'`);
  if (bounds && (value < bounds[0] || value > bounds[1]))
    throw new DocDbError(
      outside,
      `'${name}' must evaluate to an integer in the range ${String(bounds[0])} to ${String(bounds[1])}, found ${String(value)}`,
    );
  return value;
}

/** @param given names of the arguments that are written; one of them that is null or missing makes the date null */
function dateFromParts(args: readonly Value[], given: ReadonlySet<string>): Value {
  let there = 0;
  for (const value of args) if (!isNullish(value)) there += 1;
  if (there < given.size) return null;
  const zone = zoneOf(args[ZONE]);
  const iso = args[ISO_YEAR.index] !== undefined;
  const moment = fromParts(
    {
      year: iso ? ISO_EPOCH.year : fieldOf(YEAR, args),
      month: iso ? ISO_EPOCH.month : fieldOf(MONTH, args),
      day: iso ? 1 + isoDayNumber(fieldOf(ISO_YEAR, args), fieldOf(ISO_WEEK, args), fieldOf(ISO_DAY, args)) : fieldOf(DAY, args),
      hour: fieldOf(HOUR, args),
      minute: fieldOf(MINUTE, args),
      second: fieldOf(SECOND, args),
      millisecond: fieldOf(MILLISECOND, args),
    },
    zone,
  );
  if (Number.isNaN(moment)) throw new DocDbError(31034, '$dateFromParts: the parts are too far away from each other');
  return new Date(moment);
}

const NONE: ReadonlySet<string> = new Set();

function checkFromParts(given: ReadonlySet<string>): void {
  if (!given.has('year') && !given.has('isoWeekYear'))
    throw new DocDbError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
  const mixed = given.has('isoWeekYear') ? CALENDAR : ISO;
  if (mixed.some(({ name }) => given.has(name)))
    throw new DocDbError(
      given.has('isoWeekYear') ? 40489 : 40525,
      '$dateFromParts does not allow mixing natural dates with ISO 8601 dates',
    );
}

function dateToParts([date, zone, iso]: readonly Value[], given: ReadonlySet<string> | undefined): Value {
  if (isNullish(date) || givenNullish(given, 'timezone', zone) || givenNullish(given, 'iso8601', iso)) return null;
  const zoneName = zoneOf(zone);
  if (iso !== undefined && typeof iso !== 'boolean') throw new DocDbError(40521, `iso8601 must evaluate to a bool, found ${typeName(iso)}`);
  const parts = dateParts(time(date), zoneName);
  if (iso !== true) return { ...parts };
  const { hour, minute, second, millisecond } = parts;
  const { week, year } = isoWeek(parts);
  return { isoWeekYear: year, isoWeek: week, isoDayOfWeek: dayOfWeek(parts) || 7, hour, minute, second, millisecond };
}

function ofTimestamp(name: string, code: number, of: (value: BsonTimestamp) => number): Operator {
  return fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!(value instanceof Timestamp)) throw new DocDbError(code, `Argument to ${name} must be a timestamp, but is ${typeName(value)}`);
    return BigInt(of(value));
  });
}

/** Operators on the fields of dates. */
export const dateOperators: Readonly<Record<string, Operator>> = {
  $year: part(({ year }) => year),
  $month: part(({ month }) => month),
  $dayOfMonth: part(({ day }) => day),
  $hour: part(({ hour }) => hour),
  $minute: part(({ minute }) => minute),
  $second: part(({ second }) => second),
  $millisecond: part(({ millisecond }) => millisecond),
  $dayOfYear: part(dayOfYear),
  $dayOfWeek: part((parts) => dayOfWeek(parts) + 1),
  $isoDayOfWeek: part((parts) => dayOfWeek(parts) || 7),
  $week: part((parts) => Math.floor((dayOfYear(parts) + 6 - dayOfWeek(parts)) / 7)),
  $isoWeek: part((parts) => isoWeek(parts).week),
  $isoWeekYear: part((parts) => BigInt(isoWeek(parts).year)),
  $dateFromParts: named(FROM_PARTS, (args, _collator, given) => dateFromParts(args, given ?? NONE), {
    shape: 40519,
    unknown: 40518,
    given: checkFromParts,
  }),
  $dateToParts: named(['date', 'timezone', 'iso8601'], (args, _collator, given) => dateToParts(args, given), {
    shape: 40524,
    unknown: 40520,
    missing: { date: 40522 },
  }),
  $tsSecond: ofTimestamp('$tsSecond', 5687301, ({ t }) => t),
  $tsIncrement: ofTimestamp('$tsIncrement', 5687302, ({ i }) => i),
};

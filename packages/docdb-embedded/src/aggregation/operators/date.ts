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

/** A field of `$dateFromParts`: its least and greatest value where they are bounded, and the code for another. */
interface Field {
  readonly bounds?: readonly [number, number];
  readonly outside?: number;
}

const SHORT: Field = { bounds: [-32768, 32767], outside: 31034 };
const CALENDAR: Readonly<Record<string, Field>> = { year: { bounds: [1, 9999], outside: 40523 }, month: SHORT, day: SHORT };
const ISO: Readonly<Record<string, Field>> = {
  isoWeekYear: { bounds: [1, 9999], outside: 31095 },
  isoWeek: SHORT,
  isoDayOfWeek: SHORT,
};
const CLOCK: Readonly<Record<string, Field>> = { hour: SHORT, minute: SHORT, second: {}, millisecond: {} };
const FROM_PARTS = [...Object.keys(CALENDAR), ...Object.keys(CLOCK), ...Object.keys(ISO), 'timezone'];

function fieldOf(name: string, value: Value, { bounds, outside = 31034 }: Field): number {
  const given = whole(value, 40515, `'${name}'`);
  if (bounds && (given < bounds[0] || given > bounds[1]))
    throw new DocDbError(
      outside,
      `'${name}' must evaluate to an integer in the range ${String(bounds[0])} to ${String(bounds[1])}, found ${String(given)}`,
    );
  return given;
}

function dateFromParts(args: readonly Value[], given: ReadonlySet<string> = new Set()): Value {
  const values = Object.fromEntries(FROM_PARTS.map((name, index) => [name, args[index]]));
  if (FROM_PARTS.some((name) => givenNullish(given, name, values[name]))) return null;
  const zone = zoneOf(values.timezone);
  const iso = given.has('isoWeekYear');
  const field = (name: string, spec: Field, missing: number): number => (given.has(name) ? fieldOf(name, values[name], spec) : missing);
  const clock = (name: string): number => field(name, CLOCK[name] ?? {}, 0);
  const year = iso ? 1970 : field('year', CALENDAR.year ?? {}, 1970);
  const day = iso
    ? 1 + isoDayNumber(field('isoWeekYear', ISO.isoWeekYear ?? {}, 1970), field('isoWeek', SHORT, 1), field('isoDayOfWeek', SHORT, 1))
    : field('day', SHORT, 1);
  const month = iso ? 1 : field('month', SHORT, 1);
  const time = { hour: clock('hour'), minute: clock('minute'), second: clock('second'), millisecond: clock('millisecond') };
  const moment = fromParts({ year, month, day, ...time }, zone);
  if (Number.isNaN(moment)) throw new DocDbError(31034, '$dateFromParts: the parts are too far away from each other');
  return new Date(moment);
}

function checkFromParts(given: ReadonlySet<string>): void {
  if (!given.has('year') && !given.has('isoWeekYear'))
    throw new DocDbError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
  const mixed = given.has('isoWeekYear') ? Object.keys(CALENDAR) : Object.keys(ISO);
  if (mixed.some((name) => given.has(name)))
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
  $dateFromParts: named(FROM_PARTS, (args, _collator, given) => dateFromParts(args, given), {
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

import { toNumber } from '../../bson/arithmetic.ts';
import { isNumber, ObjectId, Timestamp, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { dateParts, type DateParts, dayOfWeek, dayOfYear, fromParts, isoWeek, parseDate, zoneOffset } from './date-parts.ts';
import { isNullish, named } from './define.ts';

function time(value: Value): number {
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  if (value instanceof Timestamp) return value.t * 1000;
  throw new DocDbError(16006, `can't convert from BSON type ${typeName(value)} to Date`);
}

function zoneOf(value: Value): string {
  if (value === undefined) return 'UTC';
  if (typeof value !== 'string') throw new DocDbError(40517, 'timezone must evaluate to a string');
  return value;
}

function part(of: (parts: DateParts) => Value): Operator {
  return named(['date', 'timezone'], ([date, zone]) => (isNullish(date) || zone === null ? null : of(dateParts(time(date), zoneOf(zone)))));
}

const UNITS: ReadonlySet<string> = new Set(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond']);

function unitOf(value: Value): string {
  if (typeof value !== 'string' || !UNITS.has(value)) throw new DocDbError(9, `unknown time unit value: ${String(value)}`);
  return value;
}

function whole(value: Value, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) throw new DocDbError(5166405, `${name} expects an integer amount of time units`);
  return number;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

function shifted(start: number, unit: string, amount: number, zone: string): Date {
  if (unit === 'hour' || unit === 'minute' || unit === 'second' || unit === 'millisecond')
    return new Date(start + amount * (MILLISECONDS[unit] as number));
  const parts = dateParts(start, zone);
  if (unit === 'day' || unit === 'week')
    return new Date(fromParts({ ...parts, day: parts.day + amount * (unit === 'week' ? 7 : 1) }, zone));
  const months = parts.year * 12 + parts.month - 1 + amount * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1);
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return new Date(fromParts({ ...parts, year, month, day: Math.min(parts.day, last) }, zone));
}

/** @returns a date some units of time later */
export function shiftDate(start: Date, unit: string, amount: number): Date {
  return shifted(start.getTime(), unit, amount, 'UTC');
}

/** @throws DocDbError (9) for what is no unit of time */
export function timeUnit(value: Value): string {
  return unitOf(value);
}

/** @returns how long a unit of time is; `undefined` for those that differ */
export function unitMilliseconds(unit: string): number | undefined {
  return MILLISECONDS[unit];
}

function add(direction: 1 | -1): Operator {
  return named(['startDate', 'unit', 'amount', 'timezone'], ([start, unit, amount, zone]) => {
    if (isNullish(start) || isNullish(unit) || isNullish(amount) || zone === null) return null;
    return shifted(time(start), unitOf(unit), direction * whole(amount, '$dateAdd'), zoneOf(zone));
  });
}

/** The number of a date's unit, counted from a fixed one. */
function ordinal(parts: DateParts, unit: string, weekStart: number): number {
  const day = Math.floor(Date.UTC(parts.year, parts.month - 1, parts.day) / 86_400_000);
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

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function weekdayOf(value: Value): number {
  if (isNullish(value)) return 0;
  const index = typeof value === 'string' ? WEEKDAYS.indexOf(value.slice(0, 3).toLowerCase()) : -1;
  if (index < 0) throw new DocDbError(9, `unknown day of week value: ${String(value)}`);
  return index;
}

function difference([start, end, unit, zone, startOfWeek]: readonly Value[]): Value {
  if (isNullish(start) || isNullish(end) || isNullish(unit) || zone === null) return null;
  const name = unitOf(unit);
  const zoneName = zoneOf(zone);
  const from = time(start);
  const to = time(end);
  if (name === 'hour' || name === 'minute' || name === 'second' || name === 'millisecond') {
    const size = MILLISECONDS[name] as number;
    const local = (moment: number): number => Math.floor((moment + zoneOffset(moment, zoneName) * 60_000) / size);
    return BigInt(name === 'hour' || name === 'minute' ? local(to) - local(from) : Math.floor(to / size) - Math.floor(from / size));
  }
  const week = weekdayOf(startOfWeek);
  return BigInt(ordinal(dateParts(to, zoneName), name, week) - ordinal(dateParts(from, zoneName), name, week));
}

function truncate([date, unit, binSize, zone, startOfWeek]: readonly Value[]): Value {
  if (isNullish(date) || isNullish(unit) || binSize === null || zone === null) return null;
  const name = unitOf(unit);
  const zoneName = zoneOf(zone);
  const size = binSize === undefined ? 1 : whole(binSize, '$dateTrunc');
  if (size < 1) throw new DocDbError(5439018, '$dateTrunc requires binSize to be greater than 0');
  const moment = time(date);
  const parts = dateParts(moment, zoneName);
  const midnight = { ...parts, hour: 0, minute: 0, second: 0, millisecond: 0 };
  const bin = (value: number): number => Math.floor(value / size) * size;
  // Bins are counted from 1 January 2000.
  switch (name) {
    case 'year':
      return new Date(fromParts({ ...midnight, year: 2000 + bin(parts.year - 2000), month: 1, day: 1 }, zoneName));
    case 'quarter':
    case 'month': {
      const months = name === 'month' ? 1 : 3;
      const count = Math.floor(((parts.year - 2000) * 12 + parts.month - 1) / months);
      return new Date(fromParts({ ...midnight, year: 2000, month: bin(count) * months + 1, day: 1 }, zoneName));
    }
    case 'week':
    case 'day': {
      const days = Math.round((Date.UTC(parts.year, parts.month - 1, parts.day) - Date.UTC(2000, 0, 1)) / 86_400_000);
      const start = weekdayOf(startOfWeek);
      // 1 January 2000 was a Saturday; weeks are counted from the first week start on or after it.
      const shift = name === 'week' ? (start - 6 + 7) % 7 : 0;
      const step = name === 'week' ? 7 * size : size;
      return new Date(
        fromParts({ ...midnight, year: 2000, month: 1, day: 1 + shift + Math.floor((days - shift) / step) * step }, zoneName),
      );
    }
    default: {
      const unitSize = (MILLISECONDS[name] as number) * size;
      const origin = fromParts({ year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 }, zoneName);
      return new Date(origin + Math.floor((moment - origin) / unitSize) * unitSize);
    }
  }
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function dateToString([date, format, zone, onNull]: readonly Value[]): Value {
  if (isNullish(date)) return onNull ?? null;
  if (zone === null) return null;
  const zoneName = zoneOf(zone);
  const moment = time(date);
  const parts = dateParts(moment, zoneName);
  const offset = zoneOffset(moment, zoneName);
  const pattern = isNullish(format) ? (zone === undefined ? '%Y-%m-%dT%H:%M:%S.%LZ' : '%Y-%m-%dT%H:%M:%S.%L') : String(format);
  const sign = offset < 0 ? '-' : '+';
  const fields: Readonly<Record<string, () => string>> = {
    Y: () => pad(parts.year, 4),
    m: () => pad(parts.month, 2),
    d: () => pad(parts.day, 2),
    H: () => pad(parts.hour, 2),
    M: () => pad(parts.minute, 2),
    S: () => pad(parts.second, 2),
    L: () => pad(parts.millisecond, 3),
    j: () => pad(dayOfYear(parts), 3),
    w: () => String(dayOfWeek(parts) + 1),
    u: () => String(dayOfWeek(parts) || 7),
    U: () => pad(Math.floor((dayOfYear(parts) + 6 - dayOfWeek(parts)) / 7), 2),
    V: () => pad(isoWeek(parts).week, 2),
    G: () => pad(isoWeek(parts).year, 4),
    b: () => (MONTHS[parts.month - 1] as string).slice(0, 3),
    B: () => MONTHS[parts.month - 1] as string,
    z: () => `${sign}${pad(Math.floor(Math.abs(offset) / 60), 2)}${pad(Math.abs(offset) % 60, 2)}`,
    Z: () => String(offset),
    '%': () => '%',
  };
  return pattern.replace(/%(.)/g, (_all, letter: string) => {
    const field = fields[letter];
    if (!field) throw new DocDbError(18536, `Invalid format character '%${letter}' in format string`);
    return field();
  });
}

function dateFromString([text, format, zone, onError, onNull]: readonly Value[]): Value {
  if (isNullish(text)) return onNull ?? null;
  try {
    if (typeof text !== 'string')
      throw new DocDbError(241, `$dateFromString requires that 'dateString' be a string, found: ${typeName(text)}`);
    return typeof format === 'string' ? parseFormatted(text, format, zoneOf(zone)) : parseDate(text, zoneOf(zone));
  } catch (error) {
    if (onError !== undefined && error instanceof DocDbError) return onError;
    throw error;
  }
}

const DIGITS: Readonly<Record<string, [keyof DateParts, string]>> = {
  Y: ['year', '(\\d{4})'],
  m: ['month', '(\\d{1,2})'],
  d: ['day', '(\\d{1,2})'],
  H: ['hour', '(\\d{1,2})'],
  M: ['minute', '(\\d{1,2})'],
  S: ['second', '(\\d{1,2})'],
  L: ['millisecond', '(\\d{1,3})'],
};

function parseFormatted(text: string, format: string, zone: string): Date {
  const names: (keyof DateParts | 'offset')[] = [];
  const source = format.replace(/%(.)|[.*+?^${}()|[\]\\]/g, (all, letter: string | undefined) => {
    if (letter === undefined) return `\\${all}`;
    if (letter === 'z') {
      names.push('offset');
      return '([+-]\\d{2}:?\\d{2}|Z)';
    }
    const field = DIGITS[letter];
    if (!field) throw new DocDbError(18536, `Invalid format character '%${letter}' in format string`);
    names.push(field[0]);
    return field[1];
  });
  const match = new RegExp(`^${source}$`).exec(text);
  if (!match) throw new DocDbError(241, `Error parsing date string '${text}'`);
  const found = Object.fromEntries(names.map((name, index) => [name, match[index + 1] as string]));
  const parts: DateParts = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
  const numbers = Object.fromEntries(
    Object.entries(found)
      .filter(([name]) => name !== 'offset')
      .map(([name, value]) => [name, Number(value)]),
  );
  return new Date(fromParts({ ...parts, ...numbers }, found.offset ?? zone));
}

function dateFromParts(args: readonly Value[]): Value {
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0, zone] = args;
  const all = [year, month, day, hour, minute, second, millisecond];
  if (all.some(isNullish) || zone === null) return null;
  const [y, mo, d, h, mi, s, ms] = all.map((value) => whole(value, '$dateFromParts')) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(fromParts({ year: y, month: mo, day: d, hour: h, minute: mi, second: s, millisecond: ms }, zoneOf(zone)));
}

/** Operators on dates. */
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
  $dateAdd: add(1),
  $dateSubtract: add(-1),
  $dateDiff: named(['startDate', 'endDate', 'unit', 'timezone', 'startOfWeek'], difference),
  $dateTrunc: named(['date', 'unit', 'binSize', 'timezone', 'startOfWeek'], truncate),
  $dateToString: named(['date', 'format', 'timezone', 'onNull'], dateToString),
  $dateFromString: named(['dateString', 'format', 'timezone', 'onError', 'onNull'], dateFromString),
  $dateFromParts: named(['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'timezone'], dateFromParts),
  $dateToParts: named(['date', 'timezone'], ([date, zone]) => (isNullish(date) ? null : { ...dateParts(time(date), zoneOf(zone)) })),
};

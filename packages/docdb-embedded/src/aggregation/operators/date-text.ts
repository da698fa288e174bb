import { typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { time, zoneOf } from './date-arguments.ts';
import { dateParts, type DateParts, dayNumber, dayOfWeek, dayOfYear, fromParts, isoDayNumber, isoWeek, zoneOffset } from './date-parts.ts';
import { givenNullish, isNullish, named } from './define.ts';

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function monthName({ month }: DateParts): string {
  return MONTHS[month - 1] ?? '';
}

/** What a letter of a format stands for, with the minutes east of UTC. */
const WRITTEN: Readonly<Record<string, (parts: DateParts, offset: number) => string>> = {
  Y: ({ year }) => pad(year, 4),
  m: ({ month }) => pad(month, 2),
  d: ({ day }) => pad(day, 2),
  H: ({ hour }) => pad(hour, 2),
  M: ({ minute }) => pad(minute, 2),
  S: ({ second }) => pad(second, 2),
  L: ({ millisecond }) => pad(millisecond, 3),
  j: (parts) => pad(dayOfYear(parts), 3),
  w: (parts) => String(dayOfWeek(parts) + 1),
  u: (parts) => String(dayOfWeek(parts) || 7),
  U: (parts) => pad(Math.floor((dayOfYear(parts) + 6 - dayOfWeek(parts)) / 7), 2),
  V: (parts) => pad(isoWeek(parts).week, 2),
  G: (parts) => pad(isoWeek(parts).year, 4),
  b: (parts) => monthName(parts).slice(0, 3),
  B: monthName,
  z: (_parts, offset) => `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}${pad(Math.abs(offset) % 60, 2)}`,
  Z: (_parts, offset) => String(offset),
  '%': () => '%',
};

const MINUTE = 60_000;

function dateToString([date, format, zone, onNull]: readonly Value[], given: ReadonlySet<string> | undefined): Value {
  if (givenNullish(given, 'format', format) || givenNullish(given, 'timezone', zone)) return null;
  if (format !== undefined && typeof format !== 'string')
    throw new DocDbError(18533, `$dateToString requires that 'format' be a string, found: ${typeName(format)}`);
  const zoneName = zoneOf(zone);
  if (isNullish(date)) return given?.has('onNull') === true ? onNull : null;
  const moment = time(date);
  const parts = dateParts(moment, zoneName);
  if (!(parts.year >= 0 && parts.year <= 9999))
    throw new DocDbError(18537, `$dateToString is only defined on year 0-9999, tried to use year ${String(parts.year)}`);
  const offset = Math.trunc(zoneOffset(moment, zoneName) / MINUTE);
  const pattern = format ?? (zone === undefined ? '%Y-%m-%dT%H:%M:%S.%LZ' : '%Y-%m-%dT%H:%M:%S.%L');
  return pattern.replace(/%([\s\S]?)/g, (_all, letter: string) => {
    if (letter === '') throw new DocDbError(18535, "Unmatched '%' at end of format string");
    const written = WRITTEN[letter];
    if (!written) throw new DocDbError(18536, `Invalid format character '%${letter}' in format string`);
    return written(parts, offset);
  });
}

function noDate(text: string, why = ''): DocDbError {
  return new DocDbError(241, `Error parsing date string '${text}'${why}`);
}

/** Zones that may be given beside an offset in the text. */
const UTC: ReadonlySet<string> = new Set(['UTC', 'GMT']);

const SPACE = '[ \\t\\n\\v\\f\\r\\0\\u00a0]';
const ISO = new RegExp(
  `^${SPACE}*([+-]?\\d{4})-(\\d{1,2})-(\\d{1,2})(?:(?:[Tt]|${SPACE}+)(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?)?(?:${SPACE}*([Zz]|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?${SPACE}*$`,
);

/** @throws DocDbError (241) for fields that are none of a date */
function checked(parts: DateParts, text: string): DateParts {
  const { year, month, day, hour, minute, second } = parts;
  const days = dayNumber(year, month + 1, 0) - dayNumber(year, month, 0);
  if (month < 1 || month > 12 || day < 1 || day > days || hour > 24 || minute > 59 || second > 60)
    throw noDate(text, '; the fields are no date');
  return parts;
}

/**
 * Reads a date text as ISO 8601 writes it.
 *
 * @throws DocDbError (241) for what is no date, and for a text with an offset beside a zone that is given
 */
export function parseDate(text: string, zone?: string): Date {
  const match = ISO.exec(text);
  if (!match) throw noDate(text);
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset] = match;
  if (offset !== undefined && zone !== undefined && !UTC.has(zone)) throw noDate(text, '; a zone is given beside it');
  const millisecond = Math.floor(Number(`0.${fraction}`) * 1000 + 1e-6);
  const parts = checked(
    {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      millisecond,
    },
    text,
  );
  return new Date(fromParts(parts, offset === undefined ? (zone ?? 'UTC') : /^[a-z]/i.test(offset) ? 'UTC' : offset));
}

type Field = keyof DateParts | 'offset' | 'minutes' | 'name' | 'dayOfYear' | 'isoYear' | 'isoWeek' | 'isoDay';

const READ: Readonly<Record<string, readonly [Field, RegExp]>> = {
  Y: ['year', /\d{4}/y],
  m: ['month', /\d{1,2}/y],
  d: ['day', /\d{1,2}/y],
  H: ['hour', /\d{1,2}/y],
  M: ['minute', /\d{1,2}/y],
  S: ['second', /\d{1,2}/y],
  L: ['millisecond', /\d{1,3}/y],
  b: ['name', /[A-Za-z]{3}/y],
  B: ['name', /[A-Za-z]{3,9}/y],
  j: ['dayOfYear', /\d{1,3}/y],
  G: ['isoYear', /\d{4}/y],
  V: ['isoWeek', /\d{1,2}/y],
  u: ['isoDay', /[1-7]/y],
  z: ['offset', /[+-]\d{2}(?::?\d{2})?|Z/y],
  Z: ['minutes', /[+-]?\d{1,4}/y],
};

/** Reads one field after the other, each as long as it can be: nothing is tried twice. */
function fieldsOf(text: string, format: string): Map<Field, string> {
  const fields = new Map<Field, string>();
  const wrong = (): DocDbError => noDate(text, `; it is not of the format '${format}'`);
  let at = 0;
  for (let index = 0; index < format.length; index++) {
    const letter = format[index] === '%' ? (format[++index] ?? '') : undefined;
    if (letter === undefined || letter === '%') {
      if (text[at++] !== format[index]) throw wrong();
      continue;
    }
    const [name, pattern] = READ[letter] ?? [];
    if (name === undefined || pattern === undefined) throw new DocDbError(18536, `Invalid format character '%${letter}' in format string`);
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) throw wrong();
    fields.set(name, found);
    at += found.length;
  }
  if (at !== text.length) throw wrong();
  return fields;
}

function parseFormatted(text: string, format: string, zone: string | undefined): Date {
  const fields = fieldsOf(text, format);
  const number = (name: Field, missing: number): number => Number(fields.get(name) ?? missing);
  const offset = fields.get('offset');
  const minutes = fields.get('minutes');
  if (zone !== undefined && !UTC.has(zone) && (offset !== undefined || minutes !== undefined))
    throw noDate(text, '; a zone is given beside it');
  const name = fields.get('name')?.toLowerCase();
  const month =
    name === undefined
      ? number('month', 1)
      : 1 + MONTHS.findIndex((full) => [full.slice(0, 3), full].some((one) => one.toLowerCase() === name));
  const clock = {
    hour: number('hour', 0),
    minute: number('minute', 0),
    second: number('second', 0),
    millisecond: number('millisecond', 0),
  };
  const parts = checked({ year: number('year', 1970), month, day: number('day', 1), ...clock }, text);
  const day = fields.has('isoYear')
    ? { year: 1970, month: 1, day: 1 + isoDayNumber(number('isoYear', 1970), number('isoWeek', 1), number('isoDay', 1)) }
    : fields.has('dayOfYear')
      ? { month: 1, day: number('dayOfYear', 1) }
      : {};
  const at = fromParts({ ...parts, ...day }, offset === undefined ? (zone ?? 'UTC') : offset === 'Z' ? 'UTC' : offset);
  return new Date(at - Number(minutes ?? 0) * MINUTE);
}

function dateFromString([text, format, zone, onError, onNull]: readonly Value[], given: ReadonlySet<string> | undefined): Value {
  const whenNull = given?.has('onNull') === true ? onNull : null;
  if (givenNullish(given, 'timezone', zone) || givenNullish(given, 'format', format)) return isNullish(text) ? whenNull : null;
  if (format !== undefined && typeof format !== 'string')
    throw new DocDbError(40684, `$dateFromString requires that 'format' be a string, found: ${typeName(format)}`);
  const zoneName = zone === undefined ? undefined : zoneOf(zone);
  if (isNullish(text)) return whenNull;
  try {
    if (typeof text !== 'string')
      throw new DocDbError(241, `$dateFromString requires that 'dateString' be a string, found: ${typeName(text)}`);
    return format === undefined ? parseDate(text, zoneName) : parseFormatted(text, format, zoneName);
  } catch (error) {
    if (given?.has('onError') === true && error instanceof DocDbError && error.code === 241) return onError;
    throw error;
  }
}

/** Operators between dates and texts. */
export const dateTextOperators: Readonly<Record<string, Operator>> = {
  $dateToString: named(['date', 'format', 'timezone', 'onNull'], (args, _collator, given) => dateToString(args, given), {
    shape: 18629,
    unknown: 18534,
    missing: { date: 18628 },
  }),
  $dateFromString: named(
    ['dateString', 'format', 'timezone', 'onError', 'onNull'],
    (args, _collator, given) => dateFromString(args, given),
    { shape: 40540, unknown: 40541, missing: { dateString: 40542 } },
  ),
};

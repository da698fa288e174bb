import { DocDbError } from '../../errors.ts';

/** A date's fields in one time zone. */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const created = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    });
    formats.set(zone, created);
    return created;
  } catch {
    throw new DocDbError(40485, `unrecognized time zone identifier: "${zone}"`);
  }
}

/** @returns minutes east of UTC for a fixed offset such as `+05:30`, or `undefined` for a named zone */
function fixedOffset(zone: string): number | undefined {
  if (zone === 'UTC' || zone === 'GMT' || zone === 'Z') return 0;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return undefined;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
}

/** @returns minutes east of UTC at a moment in a zone */
export function zoneOffset(time: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const parts = Object.fromEntries(
    format(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = Date.UTC(year, Number(parts.month) - 1, Number(parts.day), Number(parts.hour), Number(parts.minute), Number(parts.second));
  return Math.round((local - Math.floor(time / 1000) * 1000) / 60_000);
}

/** @returns the fields of a moment in a zone */
export function dateParts(time: number, zone: string): DateParts {
  const local = new Date(time + zoneOffset(time, zone) * 60_000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
  };
}

/** @returns the moment of fields in a zone; fields may be out of range and carry over */
export function fromParts(parts: DateParts, zone: string): number {
  const date = new Date(0);
  date.setUTCFullYear(parts.year, parts.month - 1, parts.day);
  date.setUTCHours(parts.hour, parts.minute, parts.second, parts.millisecond);
  const local = date.getTime();
  const guess = local - zoneOffset(local, zone) * 60_000;
  return local - zoneOffset(guess, zone) * 60_000;
}

/**
 * Reads a date text.
 *
 * @throws DocDbError (241) for what is no date
 */
export function parseDate(value: string, zone = 'UTC'): Date {
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(value);
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00` : value.replace(' ', 'T');
  const time = Date.parse(hasZone ? iso : `${iso}Z`);
  if (Number.isNaN(time)) throw new DocDbError(241, `Error parsing date string '${value}'`);
  return new Date(hasZone ? time : fromParts(dateParts(time, 'UTC'), zone));
}

/** @returns the ISO week and its year */
export function isoWeek(parts: DateParts): { readonly week: number; readonly year: number } {
  const date = new Date(Date.UTC(parts.year, parts.month - 1, parts.day));
  const weekday = date.getUTCDay() || 7;
  date.setUTCDate(date.getUTCDate() + 4 - weekday);
  const year = date.getUTCFullYear();
  const week = Math.ceil(((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
  return { week, year };
}

/** @returns the number of the day in its year, from 1 */
export function dayOfYear(parts: DateParts): number {
  return Math.round((Date.UTC(parts.year, parts.month - 1, parts.day) - Date.UTC(parts.year, 0, 1)) / 86_400_000) + 1;
}

/** @returns the day of the week, Sunday is 0 */
export function dayOfWeek(parts: DateParts): number {
  return new Date(Date.UTC(parts.year, parts.month - 1, parts.day)).getUTCDay();
}

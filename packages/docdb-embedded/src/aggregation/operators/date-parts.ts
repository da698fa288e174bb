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

function unknownZone(zone: string): DocDbError {
  return new DocDbError(40485, `unrecognized time zone identifier: "${zone}"`);
}

/** Names are written as in the list of zones; the data behind `Intl` takes them in any case. */
function isWritten(zone: string): boolean {
  const parts = zone.split('/');
  return parts.every((part) => /^[A-Z]/.test(part) && !/^[A-Z_]{4,}$/.test(part));
}

function format(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  if (!isWritten(zone)) throw unknownZone(zone);
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
    throw unknownZone(zone);
  }
}

const MINUTE = 60_000;

/** @returns minutes east of UTC for a fixed offset such as `+05:30`, or `undefined` for a named zone */
function fixedOffset(zone: string): number | undefined {
  if (zone === 'UTC' || zone === 'GMT') return 0;
  const match = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(zone);
  if (!match) return undefined;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
}

/** @throws DocDbError (40485) for what is no time zone */
export function checkZone(zone: string): void {
  if (fixedOffset(zone) === undefined) format(zone);
}

/** @returns milliseconds east of UTC at a moment in a zone */
export function zoneOffset(time: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed * MINUTE;
  if (Number.isNaN(time)) return 0;
  const parts = Object.fromEntries(
    format(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = new Date(0);
  local.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return local.getTime() - Math.floor(time / 1000) * 1000;
}

/** @returns the fields of a moment in a zone */
export function dateParts(time: number, zone: string): DateParts {
  const local = new Date(time + zoneOffset(time, zone));
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
  const guess = local - zoneOffset(local, zone);
  return local - zoneOffset(guess, zone);
}

const DAY = 86_400_000;

/** @returns days since 1 January 1970 of a date in the calendar */
export function dayNumber(year: number, month: number, day: number): number {
  return Math.floor(new Date(0).setUTCFullYear(year, month - 1, day) / DAY);
}

/** @returns the ISO week and its year */
export function isoWeek(parts: DateParts): { readonly week: number; readonly year: number } {
  const day = dayNumber(parts.year, parts.month, parts.day);
  const weekday = dayOfWeek(parts) || 7;
  const thursday = day + 4 - weekday;
  const year = new Date(thursday * DAY).getUTCFullYear();
  return { week: Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1, year };
}

/** @returns the day, counted from 1970, of a day of an ISO week */
export function isoDayNumber(year: number, week: number, weekday: number): number {
  const fourth = dayNumber(year, 1, 4);
  const monday = fourth - ((((fourth + 3) % 7) + 7) % 7);
  return monday + (week - 1) * 7 + weekday - 1;
}

/** @returns the number of the day in its year, from 1 */
export function dayOfYear(parts: DateParts): number {
  return dayNumber(parts.year, parts.month, parts.day) - dayNumber(parts.year, 1, 1) + 1;
}

/** @returns the day of the week, Sunday is 0 */
export function dayOfWeek(parts: DateParts): number {
  return (((dayNumber(parts.year, parts.month, parts.day) + 4) % 7) + 7) % 7;
}

import { coercedLong, isWhole } from '../../bson/rounding.ts';
import { FarDate, isInt32, isNumber, ObjectId, Timestamp, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { checkZone } from './date-parts.ts';

/** @returns milliseconds of what stands for a moment: a date, a timestamp, an object id */
export function momentOf(value: Value): number | undefined {
  if (value instanceof FarDate) throw new DocDbError(18537, 'the date is further away than years that have four digits');
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return Buffer.from(value.id).readInt32BE(0) * 1000;
  return value instanceof Timestamp ? value.t * 1000 : undefined;
}

/** @throws DocDbError (16006 or `code`) for what is no moment */
export function time(value: Value, code = 16006): number {
  const moment = momentOf(value);
  if (moment === undefined) throw new DocDbError(code, `can't convert from BSON type ${typeName(value)} to Date`);
  return moment;
}

/**
 * The time zone that is asked for, UTC when none is.
 *
 * @throws DocDbError (40517) for what is no text, (40485) for no zone
 */
export function zoneOf(value: Value): string {
  if (value === undefined) return 'UTC';
  if (typeof value !== 'string') throw new DocDbError(40517, `timezone must evaluate to a string, found ${typeName(value)}`);
  checkZone(value);
  return value;
}

/** @throws DocDbError (`code`) for what is no integer of 64 bits */
export function whole(value: Value, code: number, name: string): number {
  if (typeof value === 'number' && isInt32(value)) return value;
  if (!isNumber(value) || !isWhole(value)) throw new DocDbError(code, `${name} must evaluate to an integer, found ${typeName(value)}`);
  try {
    return Number(coercedLong(value));
  } catch (error) {
    if (error instanceof DocDbError) throw new DocDbError(code, `${name} must evaluate to an integer of 64 bits`);
    throw error;
  }
}

const UNITS: ReadonlySet<string> = new Set(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond']);

/** @throws DocDbError (5439013 or `code`) for no text, (9) for what is no unit of time */
export function timeUnit(value: Value, code = 5439013): string {
  if (typeof value !== 'string') throw new DocDbError(code, `a unit of time must be a string, found ${typeName(value)}`);
  if (!UNITS.has(value)) throw new DocDbError(9, `unknown time unit value: ${value}`);
  return value;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

/** @returns how long a unit of time is; `undefined` for those that differ */
export function unitMilliseconds(unit: string): number | undefined {
  return MILLISECONDS[unit];
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * The day that weeks begin with, Sunday when none is given.
 *
 * @throws DocDbError (5439015) for no text, (5439016) for no day
 */
export function weekdayOf(value: Value): number {
  if (value === undefined) return 0;
  if (typeof value !== 'string') throw new DocDbError(5439015, `startOfWeek must be a string, found ${typeName(value)}`);
  const name = value.toLowerCase();
  const index = WEEKDAYS.findIndex((day) => day === name || day.slice(0, 3) === name);
  if (index < 0) throw new DocDbError(5439016, `unknown day of week value: ${value}`);
  return index;
}

import { BadRequest } from '@framework/errors';
import type { PaginationOptions } from '../query-types.ts';

/**
 * Reads a whole number that may have come as text.
 *
 * @returns the number, or `undefined` when there is none
 * @throws BadRequest (400) for anything but a whole number from 0 to 2^53 - 1 (security S14)
 */
export function parseCount(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new BadRequest(`Invalid value for ${name}: expected a whole number of 0 or more`, { parameter: name });
}

/**
 * The number of records that a call may get.
 *
 * @param asked the checked `$limit`, if any
 * @param paginate page sizes of the service, `false` or `undefined` when paging is off
 * @returns the limit; `undefined` for all records
 * @see interface 8
 */
export function limitFor(asked: number | undefined, paginate: PaginationOptions | false | undefined): number | undefined {
  if (!isPaged(paginate)) return asked;
  const wanted = asked ?? paginate.default ?? paginate.max;
  if (wanted === undefined) return undefined;
  return paginate.max === undefined ? wanted : Math.min(wanted, paginate.max);
}

/** Tells whether `find` gives pages, and not plain lists: whether there is a page size. */
export function isPaged(paginate: PaginationOptions | false | undefined): paginate is PaginationOptions {
  if (!paginate) return false;
  return paginate.default !== undefined || paginate.max !== undefined;
}

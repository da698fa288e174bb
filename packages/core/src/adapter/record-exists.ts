import { Conflict } from '@framework/errors';

/**
 * Makes the error for a record of which another one has the same values already, as the caller sees it.
 *
 * @param fields names that the caller may be told of; their values are never told
 * @returns the error (409), with the names in `data.fields` and an entry of `errors` for each
 */
export function recordExists(fields: readonly string[]): Conflict {
  const errors = fields.map((field) => ({ path: field, keyword: 'unique', message: `${field} is already in use` }));
  return new Conflict(fields.length > 0 ? `A record with the same ${fields.join(', ')} exists already` : 'Such a record exists already', {
    fields,
    errors,
  });
}

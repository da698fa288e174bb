import { NotFound } from '@framework/errors';

/**
 * Makes the error for an id that no record has, as the caller sees it.
 *
 * @param id of the call, shown up to 100 characters
 * @returns the error for a record that is not there, or that the caller's conditions leave out (404)
 */
export function recordNotFound(id: unknown): NotFound {
  return new NotFound(`No record found for id '${String(id).slice(0, 100)}'`);
}

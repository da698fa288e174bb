import { BadRequest } from '@framework/errors';
import { faultOfId } from '../answer/record-path.ts';

/**
 * Checks an id from a path.
 *
 * @returns the id
 * @throws BadRequest (400) for an id that is empty, too long, or would reach a prototype (security S1)
 */
export function checkId(id = ''): string {
  const fault = faultOfId(id);
  if (fault !== undefined) throw new BadRequest(fault);
  return id;
}

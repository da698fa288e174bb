import { BadRequest } from '@framework/errors';

/** How deeply values are looked into: as deeply as records are shown. Callers nest them as they like, and what follows them has to end before the stack does. */
export const MAX_DEPTH = 200;

/** The refusal of a value that is nested deeper. */
export function tooDeep(): BadRequest {
  const message = `the value is nested deeper than ${String(MAX_DEPTH)} levels`;
  return new BadRequest('validation failed', { errors: [{ path: '', keyword: 'depth', message, params: {} }] });
}

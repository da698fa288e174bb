import { NOBODY, Redaction, type Viewer } from '@framework/core';

/**
 * What others may see of a value: wherever it holds records that services have returned, their rules are applied.
 *
 * @param value a record, or anything that holds records
 * @param viewer who sees it. Default: a caller of whom nothing is known
 * @returns the value itself when nothing has to be taken out
 * @throws Error for a value that contains itself
 */
export function getDispatch(value: unknown, viewer: Viewer = NOBODY): unknown {
  return viewer === 'internal' ? value : new Redaction(viewer).of(value, undefined);
}

import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** Stages that may follow `$changeStream`. */
const ALLOWED: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$redact',
  '$changeStreamSplitLargeEvent',
]);
const OPTIONS: ReadonlySet<string> = new Set([
  'fullDocument',
  'fullDocumentBeforeChange',
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'allChangesForCluster',
  'showExpandedEvents',
  'showSystemEvents',
  'allowToRunOnConfigDB',
]);
/**
 * Checks the options of a change stream, and the stages that follow it.
 *
 * @throws DocDbError (40323, 40324, 40415)
 */
export function checkChangeStream(spec: Doc, stages: readonly Value[]): void {
  for (const name of Object.keys(spec))
    if (!OPTIONS.has(name)) throw new DocDbError(40415, `BSON field '$changeStream.${name}' is an unknown field.`);
  for (const stage of stages as Doc[]) {
    const [name = ''] = Object.keys(stage);
    if (!ALLOWED.has(name))
      throw new DocDbError(
        name.startsWith('$') ? 40324 : 40323,
        `Unrecognized pipeline stage name: '${name}' is not allowed in a change stream`,
      );
  }
}

/** @returns a text that names a place in the log */
export function token(seq: number, invalidate = false): Doc {
  return { _data: `${invalidate ? '83' : '82'}${seq.toString(16).toUpperCase().padStart(16, '0')}` };
}

/**
 * The place in the log that a text names.
 *
 * @throws DocDbError (260) for a text that names none
 */
export function readToken(value: Value): { readonly seq: number; readonly invalidate: boolean } {
  const data = isDocument(value) ? value._data : undefined;
  const match = typeof data === 'string' ? /^(82|83)([0-9A-F]{16})$/.exec(data) : null;
  if (!match) throw new DocDbError(260, 'Bad resume token: _data of missing or of wrong type');
  return { seq: Number.parseInt(match[2] as string, 16), invalidate: match[1] === '83' };
}

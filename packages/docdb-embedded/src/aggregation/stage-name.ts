import { isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** @returns the name of a stage. @throws DocDbError (14, 40323) for what is none */
export function stageName(stage: Value): string {
  if (!isDocument(stage)) throw new DocDbError(14, "Each element of the 'pipeline' array must be an object");
  const names = Object.keys(stage);
  if (names.length !== 1) throw new DocDbError(40323, 'A pipeline stage specification object must contain exactly one field.');
  return names[0] as string;
}

import { shownInBrief } from '../bson/shown-value.ts';
import type { Doc } from '../bson/values.ts';

/** @returns which document a sentence is about */
export function shownId(doc: Doc): string {
  return '_id' in doc ? `_id: ${shownInBrief(doc._id)}` : 'no id';
}

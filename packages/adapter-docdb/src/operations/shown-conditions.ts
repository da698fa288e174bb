import { isPlainObject } from '@framework/query';
import { BSON, type Document } from 'mongodb';

/** Bytes up to which a value is asked for: with more of them a command could be longer than the database takes. */
const LARGEST = 1024;

/**
 * The conditions of records that show what a change has set. What operators make of what was there is not asked for, and nor is what is set in elements that
 * are found by the change itself.
 *
 * @param change an update document, or a pipeline of `$set` stages
 * @returns conditions that all have to hold
 */
export function shownConditions(change: Document | Document[]): Document[] {
  const values: [string, unknown][] = Array.isArray(change) ? change.flatMap(({ $set }) => literalsIn($set)) : entriesOf(change.$set);
  return values.filter(([path]) => !path.includes('$')).flatMap(([path, value]) => equalTo(path, value));
}

/** As the database has it, without properties that are not stored. */
function equalTo(path: string, value: unknown): Document[] {
  const bytes = BSON.serialize({ value }, { ignoreUndefined: true });
  const stored = BSON.deserialize(bytes, { promoteValues: false });
  return 'value' in stored && bytes.length <= LARGEST ? [{ [path]: { $eq: stored.value as unknown } }] : [];
}

function literalsIn(set: unknown): [string, unknown][] {
  return entriesOf(set).flatMap(([path, value]) => (isPlainObject(value) && '$literal' in value ? [[path, value.$literal]] : []));
}

function entriesOf(set: unknown): [string, unknown][] {
  return isPlainObject(set) ? Object.entries(set) : [];
}

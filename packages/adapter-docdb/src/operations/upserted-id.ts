import { types } from 'node:util';
import { isPlainObject } from '@framework/query';
import { BSONRegExp, type Document } from 'mongodb';
import type { CompiledFilter } from '../compile/criteria.ts';
import { checkNewId } from '../compile/document-id.ts';
import { newId } from '../compile/write-data.ts';
import type { ResolvedOptions } from '../docdb-types.ts';

/**
 * A change that may make the record of its conditions. What it makes has an id by which calls find it: that of the conditions, or a new one.
 *
 * @param change an update document, or a pipeline of `$set` stages
 * @throws BadRequest (400) where the conditions ask for an id that no call takes
 */
export function withNewId(change: Document | Document[], filter: CompiledFilter, options: ResolvedOptions): Document | Document[] {
  const { id } = options;
  const asked = equalTo(filter, id);
  for (const own of asked) checkNewId(own);
  // The database makes the `_id` by itself.
  if (asked.length > 0 || id === '_id') return change;
  const made = newId(options);
  if (isStages(change)) return [...change, { $set: { [id]: { $ifNull: [`$${id}`, made] } } }];
  return { ...change, $setOnInsert: { ...(change.$setOnInsert as Document | undefined), [id]: made } };
}

function isStages(change: Document | Document[]): change is Document[] {
  return Array.isArray(change);
}

/** The values that a record has which the database makes of conditions: those of equality, which all have to hold. */
function equalTo(filter: Document, name: string): unknown[] {
  return Object.entries(filter).flatMap(([key, condition]: [string, unknown]) => {
    if (key === '$and') return (condition as Document[]).flatMap((branch) => equalTo(branch, name));
    if (key === '$or') return (condition as Document[]).length === 1 ? equalTo((condition as Document[])[0] ?? {}, name) : [];
    if (key === name) return equalityOf(condition);
    // Of a part of it the database makes an object.
    return key.startsWith(`${name}.`) ? equalityOf(condition).map((part) => ({ [key.slice(name.length + 1)]: part })) : [];
  });
}

function equalityOf(condition: unknown): readonly unknown[] {
  if (!isOperators(condition)) return isPattern(condition) ? [] : [condition];
  if ('$eq' in condition) return [condition.$eq];
  const one = [condition.$in, condition.$all].find((list): list is unknown[] => Array.isArray(list) && list.length === 1) ?? [];
  return one.filter((value) => !isPattern(value));
}

function isPattern(value: unknown): boolean {
  return types.isRegExp(value) || value instanceof BSONRegExp;
}

function isOperators(condition: unknown): condition is Record<string, unknown> {
  return isPlainObject(condition) && Object.keys(condition).some((key) => key.startsWith('$'));
}

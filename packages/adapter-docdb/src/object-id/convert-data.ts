import { isPlainObject } from '@framework/query';
import type { Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';
import { ownObjectId, toObjectId } from './object-id.ts';

/**
 * Converts the texts of object ids in data, at the paths of the option `objectIds`: what is written is found by queries, whose texts are converted too.
 *
 * @param data a record, a change, or update operators
 * @returns the data itself when there is nothing to convert
 */
export function withObjectIds(data: Document, { objectIds, disableObjectify }: ResolvedOptions): Document {
  if (objectIds === undefined || objectIds.length === 0 || disableObjectify === true) return data;
  // An instance of a class is stored as its own properties.
  return converted({ ...data }, '', new Set(objectIds)) as Document;
}

/**
 * Converts the texts of object ids in a value.
 *
 * @param path of the value, as {@link pathWithin} gives it
 * @param objectIds paths at which they are
 */
export function converted(value: unknown, path: string, objectIds: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => converted(entry, path, objectIds));
  if (!isPlainObject(value)) return objectIds.has(path) ? toObjectId(value) : ownObjectId(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const inner = pathWithin(path, name);
      return [name, inner === path || isAtOrAbove(inner, objectIds) ? converted(entry, inner, objectIds) : ownObjectId(entry)];
    }),
  );
}

function isAtOrAbove(path: string, objectIds: ReadonlySet<string>): boolean {
  if (objectIds.has(path)) return true;
  for (const other of objectIds) if (other.startsWith(`${path}.`)) return true;
  return false;
}

/** @returns the path of a property: operators, positions and what stands for them name none */
export function pathWithin(path: string, name: string): string {
  return [path, ...name.split('.').filter((step) => !/^(?:\d+|\$.*)$/.test(step))].filter((step) => step !== '').join('.');
}

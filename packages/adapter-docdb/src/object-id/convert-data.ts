import { isPlainObject } from '@framework/query';
import type { Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';
import { toObjectId } from './object-id.ts';

/**
 * Converts the texts of object ids in data, at the paths of the option `objectIds`: what is written is found by queries, whose texts are converted too.
 *
 * @param data a record, a change, or update operators
 * @returns the data itself when there is nothing to convert
 */
export function withObjectIds(data: Document, { objectIds, disableObjectify }: ResolvedOptions): Document {
  if (objectIds === undefined || objectIds.length === 0 || disableObjectify === true) return data;
  const paths = new Set(objectIds);
  return converted(
    // An instance of a class is stored as its own properties.
    { ...data },
    '',
    (path) => paths.has(path),
    (path) => objectIds.some((other) => other.startsWith(`${path}.`)),
  ) as Document;
}

function converted(value: unknown, path: string, isId: (path: string) => boolean, leadsToId: (path: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => converted(entry, path, isId, leadsToId));
  if (!isPlainObject(value)) return isId(path) ? toObjectId(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const inner = joined(path, name);
      return [name, inner === path || isId(inner) || leadsToId(inner) ? converted(entry, inner, isId, leadsToId) : entry];
    }),
  );
}

/** Operators, positions and what stands for them name no property. */
function joined(path: string, name: string): string {
  return [path, ...name.split('.').filter((step) => !/^(?:\d+|\$.*)$/.test(step))].filter((step) => step !== '').join('.');
}

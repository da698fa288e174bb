import { BadRequest } from '@framework/errors';
import type { SortDirection, SortKey } from '@framework/query';
import type { Document } from 'mongodb';

/** Types in the order that the database sorts them; values of one entry are compared with each other. */
const TYPE_ORDER: readonly (readonly string[])[] = [
  ['null'],
  ['number'],
  ['string', 'symbol'],
  ['object'],
  ['array'],
  ['binData'],
  ['objectId'],
  ['bool'],
  ['date'],
  ['timestamp'],
  ['regex'],
];

/**
 * The records behind a position in an order of several keys: those that differ first in a key, on its far side. Works for any
 * direction of each key, and for values of different types, missing ones included, which a plain comparison would leave out.
 *
 * @param keys sort keys
 * @param position values of the keys at the position
 */
export function behind(keys: readonly SortKey[], position: readonly unknown[]): Document {
  const branches = keys.flatMap((_key, index) => {
    const beyond = farther(index);
    return beyond.length === 0 ? [] : [{ $and: [...keys.slice(0, index).map(same), { $or: beyond }] }];
  });
  // Nothing sorts behind the last of all values.
  return branches.length === 0 ? { _id: { $in: [] } } : { $or: branches };

  function same([path]: SortKey, index: number): Document {
    return { [path]: { $eq: position[index] } };
  }

  function farther(index: number): Document[] {
    const [path, direction] = keys[index] as SortKey;
    return [...withinType(path, direction, position[index]), ...otherTypes(path, direction, position[index])];
  }
}

function withinType(path: string, direction: SortDirection, value: unknown): Document[] {
  if (value === null || value === undefined) return [];
  // Not-a-number sorts before all numbers, and compares with none.
  if (Number.isNaN(value)) return direction === 1 ? [{ [path]: { $gte: Number.NEGATIVE_INFINITY } }] : [];
  const smaller = typeof value === 'number' && direction === -1 ? [{ [path]: { $eq: Number.NaN } }] : [];
  return [{ [path]: { [direction === 1 ? '$gt' : '$lt']: value } }, ...smaller];
}

function otherTypes(path: string, direction: SortDirection, value: unknown): Document[] {
  const rank = typeRank(value);
  const types = (direction === 1 ? TYPE_ORDER.slice(rank + 1) : TYPE_ORDER.slice(1, Math.max(1, rank))).flat();
  const missing = direction === -1 && rank > 0 ? [{ [path]: { $eq: null } }] : [];
  return [...(types.length > 0 ? [{ [path]: { $type: types } }] : []), ...missing];
}

function typeRank(value: unknown): number {
  const name = typeName(value);
  const rank = TYPE_ORDER.findIndex((names) => names.includes(name));
  if (rank < 0 || name === 'array')
    throw new BadRequest('Records with a list, or a value of this type, in a sort key can not be paged by cursors');
  return rank;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  const kind = (value as { readonly _bsontype?: string })._bsontype;
  if (kind === undefined) return 'object';
  return BSON_NAMES[kind] ?? kind;
}

const BSON_NAMES: Readonly<Record<string, string>> = {
  ObjectId: 'objectId',
  Long: 'number',
  Int32: 'number',
  Double: 'number',
  Decimal128: 'number',
  Binary: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
};

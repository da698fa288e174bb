import { BadRequest } from '@framework/errors';
import type { SortDirection, SortKey } from '@framework/query';
import { Code, type Document } from 'mongodb';

/** What is missing is null, and `$type` does not find it. */
const NOTHING = 'null';

/** Types in the order that the database sorts them; values of one entry are compared with each other. */
const TYPE_ORDER: readonly (readonly string[])[] = [
  ['minKey'],
  [NOTHING],
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
  ['javascript'],
  ['javascriptWithScope'],
  ['maxKey'],
];

/**
 * The records behind a position in an order of several keys: those that differ first in a key, on its far side. Works for any
 * direction of each key, and for values of different types, missing ones included, which a plain comparison would leave out.
 *
 * @param keys sort keys
 * @param position values of the keys at the position
 * @param included whether the record at the position is meant too
 */
export function behind(keys: readonly SortKey[], position: readonly unknown[], included = false): Document {
  const branches: Document[] = keys.flatMap((_key, index) => {
    const beyond = farther(index);
    return beyond.length === 0 ? [] : [{ $and: [...keys.slice(0, index).map(same), { $or: beyond }] }];
  });
  if (included) branches.push(at(keys, position));
  // Nothing sorts behind the last of all values.
  return branches.length === 0 ? { _id: { $in: [] } } : { $or: branches };

  function same(key: SortKey, index: number): Document {
    return equalTo(key, position[index]);
  }

  function farther(index: number): Document[] {
    const [path, direction] = keys[index] as SortKey;
    return [...withinType(path, direction, position[index]), ...otherTypes(path, direction, position[index])];
  }
}

/** The records at a position: by a collation those with other texts too. */
export function at(keys: readonly SortKey[], position: readonly unknown[]): Document {
  return { $and: keys.map((key, index) => equalTo(key, position[index])) };
}

function equalTo([path]: SortKey, value: unknown): Document {
  return typeName(value) === NOTHING ? { $or: nothingAt(path) } : { [path]: { $eq: value } };
}

function withinType(path: string, direction: SortDirection, value: unknown): Document[] {
  const type = typeName(value);
  if (ALONE.has(type)) return [];
  const name = direction === 1 ? '$gt' : '$lt';
  if (type !== 'number') return [{ [path]: { [name]: value } }];
  // Not-a-number sorts before all numbers, and compares with none.
  if (String(value) === 'NaN') return direction === 1 ? [{ [path]: { $gte: Number.NEGATIVE_INFINITY } }] : [];
  return [{ [path]: { [name]: value } }, ...(direction === 1 ? [] : [{ [path]: { $eq: Number.NaN } }])];
}

/** Types with one value. */
const ALONE: ReadonlySet<string> = new Set(['minKey', NOTHING, 'maxKey']);

function otherTypes(path: string, direction: SortDirection, value: unknown): Document[] {
  const rank = typeRank(value);
  const types = (direction === 1 ? TYPE_ORDER.slice(rank + 1) : TYPE_ORDER.slice(0, rank)).flat();
  const named = types.filter((type) => type !== NOTHING);
  return [
    ...(named.length > 0 ? [{ [path]: { $type: named } }] : []),
    ...(types.includes(NOTHING) ? nothingAt(path) : []),
    // A list without elements sorts before nothing at all: a page that has reached one says so.
    ...(direction === -1 ? [{ [path]: { $eq: [] } }] : []),
  ];
}

/** What is null or missing, also where there is only an empty list on the way. */
function nothingAt(path: string): Document[] {
  return path.includes('.') ? [{ [path]: { $eq: null } }, { [path]: { $exists: false } }] : [{ [path]: { $eq: null } }];
}

function typeRank(value: unknown): number {
  const name = typeName(value);
  const rank = TYPE_ORDER.findIndex((names) => names.includes(name));
  if (rank < 0 || name === 'array' || name === 'regex')
    throw new BadRequest('Records with a value of this type in a sort key can not be paged by cursors: page with $skip');
  return rank;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if (value instanceof Code) return value.scope ? 'javascriptWithScope' : 'javascript';
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
  MinKey: 'minKey',
  MaxKey: 'maxKey',
  // A reference is an object with three properties.
  DBRef: 'object',
};

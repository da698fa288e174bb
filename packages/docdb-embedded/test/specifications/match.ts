import { Binary, BSON, ObjectId, type Document } from 'mongodb';

type Value = unknown;

/** Entities of one test by name. */
export type Entities = Map<string, unknown>;

/**
 * Compares a value with what a specification expects.
 *
 * @param root whether further keys of the value do not matter
 * @returns what is different, `undefined` when nothing is
 */
export function mismatch(expected: Value, actual: Value, entities: Entities, root = true, path = ''): string | undefined {
  if (isDocument(expected)) {
    const [operator] = Object.keys(expected);
    if (operator?.startsWith('$$')) return special(operator, expected[operator], actual, entities, root, path);
    if (!isDocument(actual)) return `${path}: expected a document, got ${show(actual)}`;
    return documentMismatch(expected, actual, entities, root, path);
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path}: expected an array, got ${show(actual)}`;
    if (expected.length !== actual.length) return `${path}: expected ${show(expected)}, got ${show(actual)}`;
    for (const [index, value] of expected.entries()) {
      const found = mismatch(value, actual[index], entities, root && path === '', `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return show(expected) === show(actual) ? undefined : `${path}: expected ${show(expected)}, got ${show(actual)}`;
}

function documentMismatch(expected: Document, actual: Document, entities: Entities, root: boolean, path: string): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    const optional = isDocument(value) && ('$$unsetOrMatches' in value || value.$$exists === false);
    if (!(key in actual) && !optional) return `${path}.${key}: missing in ${show(actual)}`;
    const found = mismatch(value, actual[key], entities, false, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  if (root) return undefined;
  const extra = Object.keys(actual).filter((key) => !(key in expected));
  return extra.length > 0 ? `${path}: unexpected ${extra.join(', ')}` : undefined;
}

function special(operator: string, operand: Value, actual: Value, entities: Entities, root: boolean, path: string): string | undefined {
  switch (operator) {
    case '$$exists':
      return (actual !== undefined) === operand ? undefined : `${path}: exists is not ${String(operand)}`;
    case '$$unsetOrMatches':
      return actual === undefined ? undefined : mismatch(operand, actual, entities, root, path);
    case '$$matchesEntity':
      return mismatch(entities.get(operand as string), actual, entities, root, path);
    case '$$type': {
      const types = Array.isArray(operand) ? operand : [operand];
      return types.some((type) => isType(type as string, actual)) ? undefined : `${path}: ${show(actual)} is not ${types.join(' or ')}`;
    }
    case '$$lte':
      return Number(actual) <= Number(operand) ? undefined : `${path}: ${show(actual)} is more than ${show(operand)}`;
    default:
      throw new Error(`the operator ${operator} is not known`);
  }
}

function isType(type: string, value: Value): boolean {
  const kinds: Record<string, (value: Value) => boolean> = {
    object: isDocument,
    array: Array.isArray,
    string: (given) => typeof given === 'string',
    bool: (given) => typeof given === 'boolean',
    objectId: (given) => given instanceof ObjectId,
    binData: (given) => given instanceof Binary,
    date: (given) => given instanceof Date,
    int: (given) => Number.isInteger(given),
    long: (given) => Number.isInteger(given) || typeof given === 'bigint' || (given as { _bsontype?: string } | null)?._bsontype === 'Long',
    double: (given) => typeof given === 'number',
    number: (given) => typeof given === 'number',
    timestamp: (given) => (given as { _bsontype?: string } | null)?._bsontype === 'Timestamp',
  };
  return kinds[type]?.(value) ?? false;
}

function isDocument(value: Value): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) && !('_bsontype' in value);
}

function show(value: Value): string {
  return value === undefined ? 'nothing' : BSON.EJSON.stringify(value, { relaxed: true });
}

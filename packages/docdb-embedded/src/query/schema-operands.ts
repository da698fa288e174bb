import { type Numeric, toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, typeMismatch } from '../errors.ts';
import { uniqueValues } from './value-set.ts';

function wrong(keyword: string, wanted: string, value: Value): Error {
  return typeMismatch(`$jsonSchema keyword '${keyword}' must be ${wanted}, but found ${typeName(value)}`);
}

/** @returns a schema. @throws DocDbError (14) for what is none */
export function schemaOf(keyword: string, value: Value): Doc {
  if (!isDocument(value)) throw wrong(keyword, 'an object', value);
  return value;
}

/** @returns schemas by name. @throws DocDbError (14) */
export function schemasByName(keyword: string, value: Value): (readonly [string, Doc])[] {
  const named = schemaOf(keyword, value);
  return Object.keys(named).map((name) => [name, schemaOf(`${keyword}.${name}`, named[name])]);
}

/** @returns a list. @throws DocDbError (14) */
export function listOf(keyword: string, value: Value): readonly Value[] {
  if (!Array.isArray(value)) throw wrong(keyword, 'an array', value);
  return value;
}

/** @returns the schemas of `allOf` and its kin. @throws DocDbError (2, 14) */
export function schemasOf(keyword: string, value: Value): Doc[] {
  const list = listOf(keyword, value);
  if (list.length === 0) throw badValue(`$jsonSchema keyword '${keyword}' must be a non-empty array`);
  return list.map((entry) => schemaOf(keyword, entry));
}

/** @returns names of fields, at least one and each once. @throws DocDbError (9, 14) */
export function namesOf(keyword: string, value: Value): string[] {
  const names = listOf(keyword, value).map((entry) => textOf(keyword, entry));
  distinct(keyword, names);
  return names;
}

/** @throws DocDbError (9) for a list that is empty or has a value twice */
export function distinct(keyword: string, list: readonly Value[]): void {
  if (list.length === 0) throw failedToParse(`$jsonSchema keyword '${keyword}' cannot be an empty array`);
  if (uniqueValues(list).length < list.length)
    throw failedToParse(`$jsonSchema keyword '${keyword}' array cannot contain duplicate values`);
}

/** @returns a text. @throws DocDbError (14) */
export function textOf(keyword: string, value: Value): string {
  if (typeof value !== 'string') throw wrong(keyword, 'a string', value);
  return value;
}

/** @returns whether a flag is on. @throws DocDbError (14) */
export function flagOf(keyword: string, value: Value): boolean {
  if (typeof value !== 'boolean') throw wrong(keyword, 'a boolean', value);
  return value;
}

/** @returns a number as it is. @throws DocDbError (14) */
export function numberOf(keyword: string, value: Value): Numeric {
  if (!isNumber(value)) throw wrong(keyword, 'a number', value);
  return value;
}

/** @returns a number of things. @throws DocDbError (9, 14) */
export function countOf(keyword: string, value: Value): number {
  const count = toNumber(numberOf(keyword, value));
  if (!Number.isInteger(count)) throw failedToParse(`$jsonSchema keyword '${keyword}' must be representable as an integer`);
  if (count < 0) throw failedToParse(`$jsonSchema keyword '${keyword}' must be non-negative`);
  return count;
}

/** @returns the names of types that a keyword lists. @throws DocDbError (9, 14) */
export function typeNamesOf(keyword: string, value: Value): string[] {
  const list = Array.isArray(value) ? listOf(keyword, value) : [value];
  const names = list.map((entry) => textOf(keyword, entry));
  distinct(keyword, names);
  if (names.includes('integer')) throw failedToParse(`$jsonSchema type 'integer' is not currently supported.`);
  return names;
}

import { asDecimal, isBelowZero, isZero } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { remainder } from '../bson/decimal-arithmetic.ts';
import { type Doc, FORMER_TYPES, isDocument, isNumber, TYPE_CODES, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { checkEncryptionMetadata, encryptedType, encryptionOf, isEncrypted } from './encryption-keywords.ts';
import { compileRegex } from './regex.ts';
import {
  countOf,
  distinct,
  flagOf,
  listOf,
  namesOf,
  numberOf,
  schemaOf,
  schemasByName,
  schemasOf,
  textOf,
  typeNamesOf,
} from './schema-operands.ts';
import { ValueSet } from './value-set.ts';
import { isNaNValue } from './number-tests.ts';

/** Decides whether a value fits. */
export type Test = (value: Value) => boolean;

/**
 * Compiles a `$jsonSchema` (draft 4 with `bsonType`), as validators of collections use it.
 *
 * @throws DocDbError (2, 9, 14, 51091) for keywords that are unknown, or that have operands which mean nothing
 */
export function compileSchema(schema: Doc): Test {
  if ('type' in schema && 'bsonType' in schema) throw failedToParse('Cannot specify both $jsonSchema keywords type and bsonType');
  const tests = Object.keys(schema)
    .map((keyword) => keywordTest(keyword, schema))
    .filter((test) => test !== undefined);
  return (value) => tests.every((test) => test(value));
}

/** @returns what one keyword of a schema asks for, `undefined` for one that asks for nothing by itself */
export function keywordTest(keyword: string, schema: Doc): Test | undefined {
  const make = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
  if (!make) throw failedToParse(`Unknown $jsonSchema keyword: ${keyword}`);
  return make(schema[keyword], keyword, schema);
}

const JSON_TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  null: 'null',
  object: 'object',
  array: 'array',
  string: 'string',
  number: 'number',
};
const BSON_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  ['number', ...Object.values(TYPE_CODES), ...Object.values(FORMER_TYPES)].map((name) => [name, name]),
);

type Keyword = (operand: Value, keyword: string, schema: Doc) => Test | undefined;

const NUMBERS: readonly string[] = ['int', 'long', 'double', 'decimal'];

/** @throws DocDbError (2, 9, 14) for names of types that are none */
const typesOf = (known: Readonly<Record<string, string>>, keyword: string, operand: Value): string[] =>
  typeNamesOf(keyword, operand).map((name) => {
    const type = Object.hasOwn(known, name) ? known[name] : undefined;
    if (type === undefined) throw badValue(`Unknown type name alias: ${name}`);
    return type;
  });

const types =
  (known: Readonly<Record<string, string>>): Keyword =>
  (operand, keyword) => {
    const wanted = typesOf(known, keyword, operand);
    return (value) => wanted.includes(typeName(value)) || (wanted.includes('number') && isNumber(value));
  };

/** A bound of numbers; with its flag the bound itself does not pass. */
const bound =
  (flag: string, passes: (order: number, exclusive: boolean) => boolean): Keyword =>
  (operand, keyword, schema) => {
    const limit = numberOf(keyword, operand);
    const exclusive = schema[flag] !== undefined && flagOf(flag, schema[flag]);
    // What is not a number is neither above nor below one.
    return (value) => !isNumber(value) || (isNaNValue(value) === isNaNValue(limit) && passes(compare(value, limit), exclusive));
  };

const flagOfBound =
  (boundName: string): Keyword =>
  (operand, keyword, schema) => {
    flagOf(keyword, operand);
    if (!(boundName in schema)) throw failedToParse(`$jsonSchema keyword '${keyword}' needs '${boundName}'`);
    return undefined;
  };

/** How much of something a value may have; `undefined` for values that have none of it. */
const counting =
  (amount: (value: Value) => number | undefined, passes: (found: number, limit: number) => boolean): Keyword =>
  (operand, keyword) => {
    const limit = countOf(keyword, operand);
    return (value) => {
      const found = amount(value);
      return found === undefined || passes(found, limit);
    };
  };

const length = (value: Value): number | undefined => (typeof value === 'string' ? [...value].length : undefined);
const items = (value: Value): number | undefined => (Array.isArray(value) ? value.length : undefined);
const properties = (value: Value): number | undefined => (isDocument(value) ? Object.keys(value).length : undefined);
const atLeast = (found: number, limit: number): boolean => found >= limit;
const atMost = (found: number, limit: number): boolean => found <= limit;

const several =
  (passes: (tests: readonly Test[], value: Value) => boolean): Keyword =>
  (operand, keyword) => {
    const tests = schemasOf(keyword, operand).map(compileSchema);
    return (value) => passes(tests, value);
  };

const remark: Keyword = (operand, keyword) => void textOf(keyword, operand);

const hasAll = (value: Doc, names: readonly string[]): boolean => names.every((name) => Object.hasOwn(value, name));

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  bsonType: types(BSON_TYPES),
  type: types(JSON_TYPES),
  required(operand, keyword) {
    const names = namesOf(keyword, operand);
    return (value) => !isDocument(value) || hasAll(value, names);
  },
  properties(operand, keyword) {
    const tests = schemasByName(keyword, operand).map(([name, schema]) => [name, compileSchema(schema)] as const);
    return (value) => !isDocument(value) || tests.every(([name, test]) => !Object.hasOwn(value, name) || test(value[name]));
  },
  additionalProperties: additional,
  patternProperties(operand, keyword) {
    const tests = schemasByName(keyword, operand).map(([pattern, schema]) => [namePattern(pattern), compileSchema(schema)] as const);
    return (value) =>
      !isDocument(value) || Object.keys(value).every((name) => tests.every(([matches, test]) => !matches(name) || test(value[name])));
  },
  dependencies,
  enum(operand, keyword) {
    const list = listOf(keyword, operand);
    distinct(keyword, list);
    const values = new ValueSet(list);
    return (value) => values.has(value);
  },
  minimum: bound('exclusiveMinimum', (order, exclusive) => (exclusive ? order > 0 : order >= 0)),
  maximum: bound('exclusiveMaximum', (order, exclusive) => (exclusive ? order < 0 : order <= 0)),
  exclusiveMinimum: flagOfBound('minimum'),
  exclusiveMaximum: flagOfBound('maximum'),
  multipleOf(operand, keyword) {
    const factor = numberOf(keyword, operand);
    if (isZero(factor) || isBelowZero(factor)) throw failedToParse(`$jsonSchema keyword '${keyword}' must have a positive value`);
    // By tenths and hundredths as they are written: no double is one.
    const parts = asDecimal(factor);
    if (typeof parts === 'string') throw badValue(`$jsonSchema keyword '${keyword}' must be a finite number`);
    return (value) => {
      const rest = isNumber(value) ? remainder(asDecimal(value), parts) : undefined;
      return rest === undefined || (typeof rest !== 'string' && rest.coefficient === 0n);
    };
  },
  minLength: counting(length, atLeast),
  maxLength: counting(length, atMost),
  pattern(operand, keyword) {
    const matches = compileRegex(textOf(keyword, operand), '');
    return (value) => typeof value !== 'string' || matches(value);
  },
  items: itemsTest,
  additionalItems: additionalItemsTest,
  minItems: counting(items, atLeast),
  maxItems: counting(items, atMost),
  uniqueItems(operand, keyword) {
    if (!flagOf(keyword, operand)) return undefined;
    return (value) => {
      if (!Array.isArray(value)) return true;
      const seen = new ValueSet();
      return (value as Value[]).every((entry) => seen.add(entry));
    };
  },
  minProperties: counting(properties, atLeast),
  maxProperties: counting(properties, atMost),
  allOf: several((tests, value) => tests.every((test) => test(value))),
  anyOf: several((tests, value) => tests.some((test) => test(value))),
  oneOf: several((tests, value) => tests.filter((test) => test(value)).length === 1),
  not(operand, keyword) {
    const test = compileSchema(schemaOf(keyword, operand));
    return (value) => !test(value);
  },
  encrypt(operand, keyword, schema) {
    const { bsonType } = encryptionOf(keyword, operand, schema);
    const named = bsonType === undefined ? undefined : typesOf(BSON_TYPES, 'bsonType', bsonType);
    const wanted = named?.includes('number') ? [...named, ...NUMBERS] : named;
    return (value) => isEncrypted(value) && (!wanted || wanted.includes(encryptedType(value) ?? ''));
  },
  encryptMetadata: checkEncryptionMetadata,
  title: remark,
  description: remark,
};

/** @throws DocDbError (2) for a pattern of names that does not compile */
export function namePattern(pattern: string): (name: string) => boolean {
  try {
    return compileRegex(pattern, '');
  } catch (error) {
    if (error instanceof DocDbError) throw badValue(error.message);
    throw error;
  }
}

/** What is allowed beside what is named: a schema, all or nothing. */
function others(operand: Value, keyword: string): Test {
  if (typeof operand === 'boolean') return () => operand;
  return compileSchema(schemaOf(keyword, operand));
}

function additional(operand: Value, keyword: string, schema: Doc): Test {
  const known = new Set(schema.properties === undefined ? [] : Object.keys(schemaOf('properties', schema.properties)));
  const { patternProperties } = schema;
  const patterns = patternProperties === undefined ? [] : schemasByName('patternProperties', patternProperties);
  const matchers = patterns.map(([pattern]) => namePattern(pattern));
  const test = others(operand, keyword);
  return (value) =>
    !isDocument(value) ||
    Object.keys(value).every((name) => known.has(name) || matchers.some((matches) => matches(name)) || test(value[name]));
}

/** What a document with one field needs besides: other fields, or to pass a schema. */
function dependencies(operand: Value, keyword: string): Test {
  const given = schemaOf(keyword, operand);
  const tests = Object.keys(given).map((name) => {
    const needed = given[name];
    const names = Array.isArray(needed) ? namesOf(`${keyword}.${name}`, needed) : undefined;
    const test = names ? (value: Value): boolean => isDocument(value) && hasAll(value, names) : compileSchema(schemaOf(keyword, needed));
    return [name, test] as const;
  });
  return (value) => !isDocument(value) || tests.every(([name, test]) => !Object.hasOwn(value, name) || test(value));
}

function itemsTest(operand: Value, keyword: string): Test {
  if (Array.isArray(operand)) {
    const tests = listOf(keyword, operand).map((entry) => compileSchema(schemaOf(keyword, entry)));
    return (value) => !Array.isArray(value) || tests.every((test, index) => index >= value.length || test(value[index]));
  }
  const test = compileSchema(schemaOf(keyword, operand));
  return (value) => !Array.isArray(value) || value.every(test);
}

/** Elements behind those that a list of schemas names. */
function additionalItemsTest(operand: Value, keyword: string, { items: named }: Doc): Test | undefined {
  const test = others(operand, keyword);
  if (!Array.isArray(named)) return undefined;
  return (value) => !Array.isArray(value) || value.slice(named.length).every(test);
}

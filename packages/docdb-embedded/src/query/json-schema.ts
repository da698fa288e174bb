import { equal } from '../bson/compare.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { failedToParse } from '../errors.ts';
import { compileRegex } from './regex.ts';

type Test = (value: Value) => boolean;

/**
 * Compiles a `$jsonSchema` (draft 4 with `bsonType`), as validators of collections use it.
 *
 * @throws DocDbError (9) for unknown keywords
 */
export function compileSchema(schema: Doc): (doc: Doc) => boolean {
  return compile(schema);
}

function compile(schema: Doc): Test {
  const tests = Object.keys(schema)
    .map((keyword) => keywordTest(keyword, schema[keyword], schema))
    .filter((test) => test !== undefined);
  return (value) => tests.every((test) => test(value));
}

function compileAll(value: Value): Test[] {
  return (value as Value[]).map((entry) => compile(entry as Doc));
}

const JSON_TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  null: 'null',
  object: 'object',
  array: 'array',
  string: 'string',
  number: 'number',
};

function typeTest(names: Value, translate: (name: string) => string | undefined): Test {
  const wanted = (Array.isArray(names) ? (names as string[]) : [names as string]).map((name) => {
    const translated = translate(name);
    if (translated === undefined) throw failedToParse(`$jsonSchema: unknown type '${name}'`);
    return translated;
  });
  return (value) => wanted.includes(typeName(value)) || (wanted.includes('number') && isNumber(value));
}

const num = (value: Value): number => Number(String(value));

function keywordTest(keyword: string, operand: Value, schema: Doc): Test | undefined {
  switch (keyword) {
    case 'bsonType':
      return typeTest(operand, (name) => name);
    case 'type':
      return typeTest(operand, (name) => JSON_TYPES[name]);
    case 'required':
      return (value) => !isDocument(value) || (operand as string[]).every((name) => Object.hasOwn(value, name));
    case 'properties':
      return propertiesTest(operand as Doc);
    case 'additionalProperties':
      return additionalTest(operand, schema);
    case 'patternProperties':
      return patternsTest(operand as Doc);
    case 'enum':
      return (value) => (operand as Value[]).some((entry) => equal(entry, value));
    case 'minimum':
      return (value) => !isNumber(value) || (schema.exclusiveMinimum === true ? num(value) > num(operand) : num(value) >= num(operand));
    case 'maximum':
      return (value) => !isNumber(value) || (schema.exclusiveMaximum === true ? num(value) < num(operand) : num(value) <= num(operand));
    case 'multipleOf':
      return (value) => !isNumber(value) || num(value) % num(operand) === 0;
    case 'minLength':
      return (value) => typeof value !== 'string' || [...value].length >= num(operand);
    case 'maxLength':
      return (value) => typeof value !== 'string' || [...value].length <= num(operand);
    case 'pattern': {
      const matches = compileRegex(operand as string, '');
      return (value) => typeof value !== 'string' || matches(value);
    }
    case 'items':
      return itemsTest(operand);
    case 'minItems':
      return (value) => !Array.isArray(value) || value.length >= num(operand);
    case 'maxItems':
      return (value) => !Array.isArray(value) || value.length <= num(operand);
    case 'uniqueItems':
      return (value) =>
        operand !== true ||
        !Array.isArray(value) ||
        value.every((entry, index) => !(value as Value[]).slice(0, index).some((other) => equal(entry, other)));
    case 'minProperties':
      return (value) => !isDocument(value) || Object.keys(value).length >= num(operand);
    case 'maxProperties':
      return (value) => !isDocument(value) || Object.keys(value).length <= num(operand);
    case 'allOf': {
      const tests = compileAll(operand);
      return (value) => tests.every((test) => test(value));
    }
    case 'anyOf': {
      const tests = compileAll(operand);
      return (value) => tests.some((test) => test(value));
    }
    case 'oneOf': {
      const tests = compileAll(operand);
      return (value) => tests.filter((test) => test(value)).length === 1;
    }
    case 'not': {
      const test = compile(operand as Doc);
      return (value) => !test(value);
    }
    case 'title':
    case 'description':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return undefined;
    default:
      throw failedToParse(`Unknown $jsonSchema keyword: ${keyword}`);
  }
}

function propertiesTest(properties: Doc): Test {
  const tests = Object.keys(properties).map((name) => [name, compile(properties[name] as Doc)] as const);
  return (value) => !isDocument(value) || tests.every(([name, test]) => !Object.hasOwn(value, name) || test(value[name]));
}

function patternsTest(patterns: Doc): Test {
  const tests = Object.keys(patterns).map((pattern) => [compileRegex(pattern, ''), compile(patterns[pattern] as Doc)] as const);
  return (value) =>
    !isDocument(value) || Object.keys(value).every((name) => tests.every(([matches, test]) => !matches(name) || test(value[name])));
}

function additionalTest(operand: Value, schema: Doc): Test {
  const known = new Set(Object.keys((schema.properties as Doc | undefined) ?? {}));
  const patterns = Object.keys((schema.patternProperties as Doc | undefined) ?? {}).map((pattern) => compileRegex(pattern, ''));
  const test: Test = operand === false ? (): boolean => false : isDocument(operand) ? compile(operand) : (): boolean => true;
  return (value) =>
    !isDocument(value) ||
    Object.keys(value).every((name) => known.has(name) || patterns.some((matches) => matches(name)) || test(value[name]));
}

function itemsTest(operand: Value): Test {
  if (Array.isArray(operand)) {
    const tests = compileAll(operand);
    return (value) => !Array.isArray(value) || tests.every((test, index) => index >= value.length || test(value[index]));
  }
  const test = compile(operand as Doc);
  return (value) => !Array.isArray(value) || value.every(test);
}

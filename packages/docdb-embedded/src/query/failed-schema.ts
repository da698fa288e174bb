import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { isEncrypted } from './encryption-keywords.ts';
import { compileSchema, keywordTest, namePattern } from './json-schema.ts';
import { ValueSet } from './value-set.ts';

/** Says of a value what does not fit a keyword. */
type Reason = (value: Value, operand: Value, schema: Doc) => Doc;

/** @returns why a value does not fit a schema, keyword by keyword, as MongoDB tells it in `errInfo` */
export function failedRules(schema: Doc, value: Value): Doc[] {
  return Object.entries(REASONS)
    .filter(([keyword]) => Object.hasOwn(schema, keyword) && !fits(keyword, schema, value))
    .map(([keyword, reason]) => ({ operatorName: keyword, ...reason(value, schema[keyword], schema) }));
}

/** @returns what a schema is called, and what is said of it */
export function remarks({ title, description }: Doc): Doc {
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function fits(keyword: string, schema: Doc, value: Value): boolean {
  return keywordTest(keyword, schema)?.(value) ?? true;
}

/** What a schema asks of documents, lists and names is told of those alone. */
const documentOf = (value: Value): Doc => (isDocument(value) ? value : {});
const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);
const namesIn = (value: Value): string[] => listOf(value).filter((name) => typeof name === 'string');

const passes = (schema: Value, value: Value): boolean => compileSchema(documentOf(schema))(value);

/** What a schema in another one says; in `details`, and beside what it is about. */
const inner = (schema: Value, value: Value): Doc => ({
  ...remarks(documentOf(schema)),
  details: failedRules(documentOf(schema), value),
});

const simple =
  (keyword: string, reason: string): Reason =>
  (value, operand) => ({ specifiedAs: { [keyword]: operand }, reason, consideredValue: value });

const bound =
  (keyword: string, flag: string): Reason =>
  (value, operand, schema) => ({
    specifiedAs: { [keyword]: operand, ...(schema[flag] === undefined ? {} : { [flag]: schema[flag] }) },
    reason: 'comparison failed',
    consideredValue: value,
  });

const ofType =
  (keyword: string): Reason =>
  (value, operand) => ({ ...simple(keyword, 'type did not match')(value, operand, {}), consideredType: typeName(value) });

const countOfProperties =
  (keyword: string): Reason =>
  (value, operand) => ({
    specifiedAs: { [keyword]: operand },
    reason: 'specified number of properties was not satisfied',
    numberOfProperties: Object.keys(documentOf(value)).length,
  });

const notSatisfied = (value: Value, schemas: readonly Value[]): Doc => ({
  schemasNotSatisfied: schemas.flatMap((schema, index) => (passes(schema, value) ? [] : [{ index, ...inner(schema, value) }])),
});

/** By keyword, in the order in which they are told. */
const REASONS: Readonly<Record<string, Reason>> = {
  maximum: bound('maximum', 'exclusiveMaximum'),
  minimum: bound('minimum', 'exclusiveMinimum'),
  maxLength: simple('maxLength', 'specified string length was not satisfied'),
  minLength: simple('minLength', 'specified string length was not satisfied'),
  pattern: simple('pattern', 'regular expression did not match'),
  multipleOf: simple('multipleOf', 'considered value is not a multiple of the specified value'),
  minItems: simple('minItems', 'array did not match specified length'),
  maxItems: simple('maxItems', 'array did not match specified length'),
  uniqueItems(value, operand) {
    const seen = new ValueSet();
    const duplicatedValue = listOf(value).find((entry) => !seen.add(entry));
    return { ...simple('uniqueItems', 'found a duplicate item')(value, operand, {}), duplicatedValue };
  },
  items(value, operand) {
    const schemas = Array.isArray(operand) ? listOf(operand) : undefined;
    const schemaAt = (index: number): Value => (schemas ? schemas[index] : operand);
    const list = schemas ? listOf(value).slice(0, schemas.length) : listOf(value);
    const itemIndex = list.findIndex((entry, index) => !passes(schemaAt(index), entry));
    return failedItem('At least one item did not match the sub-schema', itemIndex, schemaAt(itemIndex), list[itemIndex]);
  },
  additionalItems(value, operand, { items }) {
    const named = listOf(items).length;
    const rest = listOf(value).slice(named);
    if (typeof operand === 'boolean') return { specifiedAs: { additionalItems: operand }, additionalItems: rest };
    const index = rest.findIndex((entry) => !passes(operand, entry));
    return failedItem('At least one additional item did not match the sub-schema', named + index, operand, rest[index]);
  },
  encrypt: (value) => ({ reason: isEncrypted(value) ? 'encrypted value has wrong type' : 'value was not encrypted' }),
  properties(value, operand) {
    const [found, schemas] = [documentOf(value), documentOf(operand)];
    const failed = Object.keys(schemas).filter((name) => Object.hasOwn(found, name) && !passes(schemas[name], found[name]));
    return {
      propertiesNotSatisfied: failed.map((propertyName) => ({ propertyName, ...inner(schemas[propertyName], found[propertyName]) })),
    };
  },
  patternProperties(value, operand) {
    const found = documentOf(value);
    return {
      details: Object.entries(documentOf(operand)).flatMap(([regexMatched, schema]) => {
        const matches = namePattern(regexMatched);
        return Object.keys(found)
          .filter((name) => matches(name) && !passes(schema, found[name]))
          .map((propertyName) => ({ propertyName, regexMatched, ...inner(schema, found[propertyName]) }));
      }),
    };
  },
  additionalProperties(value, operand, { properties, patternProperties }) {
    const found = documentOf(value);
    const matchers = Object.keys(documentOf(patternProperties)).map(namePattern);
    const others = Object.keys(found).filter(
      (name) => !Object.hasOwn(documentOf(properties), name) && !matchers.some((matches) => matches(name)),
    );
    if (typeof operand === 'boolean') return { specifiedAs: { additionalProperties: operand }, additionalProperties: others };
    const failingProperty = others.find((name) => !passes(operand, found[name])) ?? '';
    return {
      reason: 'at least one additional property did not match the subschema',
      failingProperty,
      ...inner(operand, found[failingProperty]),
    };
  },
  required(value, operand) {
    const missing = namesIn(operand).filter((name) => !Object.hasOwn(documentOf(value), name));
    return { specifiedAs: { required: operand }, missingProperties: missing };
  },
  minProperties: countOfProperties('minProperties'),
  maxProperties: countOfProperties('maxProperties'),
  dependencies(value, operand) {
    const found = documentOf(value);
    return {
      failingDependencies: Object.entries(documentOf(operand)).flatMap(([conditionalProperty, needed]) => {
        if (!Object.hasOwn(found, conditionalProperty)) return [];
        if (!Array.isArray(needed)) return passes(needed, found) ? [] : [{ conditionalProperty, ...inner(needed, found) }];
        const missingProperties = namesIn(needed).filter((name) => !Object.hasOwn(found, name));
        return missingProperties.length === 0 ? [] : [{ conditionalProperty, missingProperties }];
      }),
    };
  },
  allOf: (value, operand) => notSatisfied(value, listOf(operand)),
  anyOf: (value, operand) => notSatisfied(value, listOf(operand)),
  oneOf(value, operand) {
    const schemas = listOf(operand);
    const matching = schemas.flatMap((schema, index) => (passes(schema, value) ? [index] : []));
    if (matching.length === 0) return notSatisfied(value, schemas);
    return { reason: 'more than one subschema matched', matchingSchemaIndexes: matching };
  },
  not: () => ({ reason: 'child expression matched' }),
  enum: simple('enum', 'value was not found in enum'),
  bsonType: ofType('bsonType'),
  type: ofType('type'),
};

function failedItem(reason: string, itemIndex: number, schema: Value, entry: Value): Doc {
  return { reason, itemIndex, ...(isDocument(schema) ? inner(schema, entry) : {}) };
}

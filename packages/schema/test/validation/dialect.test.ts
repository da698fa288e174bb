import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator, type JSONSchema } from '../../src/index.ts';
import { dialectOf } from '../../src/validation/dialect.ts';

describe('the version of JSON Schema', () => {
  it.each<[JSONSchema, string]>([
    [{}, 'draft-07'],
    [{ type: 'object', properties: { prefixItems: { type: 'string' }, $anchor: {} } }, 'draft-07'],
    [{ enum: ['prefixItems'], const: { unevaluatedProperties: 1 } }, 'draft-07'],
    [{ items: [{}] }, 'draft-07'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'draft-07'],
    ...[
      'unevaluatedProperties',
      'unevaluatedItems',
      'minContains',
      'maxContains',
      '$recursiveRef',
      '$recursiveAnchor',
      '$anchor',
      'dependentSchemas',
      'dependentRequired',
    ].map((keyword): [JSONSchema, string] => [{ properties: { a: { [keyword]: {} } } }, '2019-09']),
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, '2019-09'],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{}] }, '2019-09'],
    [{ items: [{}], unevaluatedItems: false }, '2019-09'],
    ...['prefixItems', '$dynamicRef', '$dynamicAnchor'].map((keyword): [JSONSchema, string] => [{ allOf: [{ [keyword]: [] }] }, '2020-12']),
    [{ prefixItems: [{}], unevaluatedItems: false }, '2020-12'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, '2020-12'],
    // Written for one, with lists of another: those decide.
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{}] }, 'draft-07'],
    [{ $schema: 5 as never }, 'draft-07'],
  ])('of %j is %s', (schema, dialect) => {
    expect(dialectOf(schema)).toBe(dialect);
  });

  it('is one', () => {
    expect(() => dialectOf({ properties: { a: { prefixItems: [{}] }, b: { items: [{}] } } })).toThrow(
      "The schema has 'prefixItems' of JSON Schema 2020-12 beside a list of 'items' of older versions: write tuples as 'prefixItems'",
    );
  });

  it('decides what is checked', async () => {
    const takes = async (schema: JSONSchema, value: unknown): Promise<boolean> =>
      getValidator(schema)(value).then(
        () => true,
        () => false,
      );
    const pair = { type: 'array', prefixItems: [{ type: 'number' }] };
    expect([await takes(pair, [1]), await takes(pair, ['a'])]).toEqual([true, false]);
    const closed = { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false };
    expect([await takes(closed, { a: 1 }), await takes(closed, { b: 1 })]).toEqual([true, false]);
    const old = { type: 'array', items: [{ type: 'number' }], additionalItems: false };
    expect([await takes(old, [1]), await takes(old, [1, 2])]).toEqual([true, false]);
  });
});

describe('a validator of one’s own', () => {
  it.each(['unevaluatedProperties', 'prefixItems', 'dependentRequired', 'minContains'])('has to know %s', (keyword) => {
    const schema: JSONSchema = { properties: { a: { [keyword]: keyword === 'prefixItems' ? [{}] : {} } } };
    expect(() => getValidator(schema, createAjv())).toThrow(
      `The validator does not know '${keyword}': leave the option 'ajv' out, or make it with Ajv2019 or Ajv2020 of the ajv package`,
    );
  });

  it('has to know object ids, which would stay texts', () => {
    const schema: JSONSchema = { properties: { a: { type: 'string', objectid: true } } };
    const message = "The validator does not know 'objectid', and would store texts in place of object ids";
    expect(() => getValidator(schema)).toThrow(message);
    expect(() => getValidator(schema, createAjv())).toThrow(message);
    const ajv = createAjv();
    ajv.addKeyword({ keyword: 'objectid', validate: () => true });
    expect(() => getValidator(schema, ajv)).not.toThrow();
  });
});

import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator, type JSONSchema } from '../../src/index.ts';
import { References } from '../../src/record-shape/references.ts';
import { containsItself } from '../../src/validation/step-limit.ts';

const TOO_MUCH = 'the value can not be checked: it lies in too many alternatives inside each other';
const errorsOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'taken',
    (error: unknown) => (error as { errors: unknown }).errors,
  );

describe('alternatives that look into the same part', () => {
  const alternative = (name: string): JSONSchema => ({ type: 'object', properties: { next: { $ref: '#' }, [name]: { type: 'integer' } } });
  const nested = (levels: number, leaf: unknown): unknown => Array.from({ length: levels }).reduce((next) => ({ next }), leaf);

  it.each<[string, JSONSchema]>([
    ['anyOf', { anyOf: [alternative('a'), alternative('b'), { type: 'integer' }] }],
    ['oneOf', { oneOf: [alternative('a'), { ...alternative('b'), required: ['b'] }, alternative('c'), { type: 'integer' }] }],
    [
      'references',
      { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }, { type: 'integer' }], $defs: { a: alternative('a'), b: alternative('b') } },
    ],
  ])('end the check of a value that callers have nested: %s', async (_how, schema) => {
    const validate = getValidator(schema);
    expect(await errorsOf(validate(nested(60, 'x')))).toEqual([{ path: '', keyword: 'anyOf', message: TOO_MUCH, params: {} }]);
    expect(await errorsOf(validate(nested(2, 'x')))).not.toEqual('taken');
    expect(await errorsOf(validate(5))).toBe('taken');
  });

  it('are all tried for a value that is right, however large it is', async () => {
    const validate = getValidator({ anyOf: [alternative('a'), { type: 'array', items: { $ref: '#' } }, { type: 'integer' }] });
    const list = Array.from({ length: 20_000 }, (_, index) => index);
    for (let call = 0; call < 20; call++) expect(await validate(list)).toEqual(list);
    expect(await validate(nested(100, 5))).toEqual(nested(100, 5));
  });

  it('do so with a validator of the user too', async () => {
    const ajv = createAjv();
    const schema = { anyOf: [alternative('a'), alternative('b'), { type: 'integer' }] };
    for (const validate of [getValidator(schema, ajv), getValidator({ ...schema }, ajv)])
      expect(await errorsOf(validate(nested(60, 'x')))).toMatchObject([{ message: TOO_MUCH }]);
  });
});

describe('a schema contains itself', () => {
  it.each<[boolean, JSONSchema]>([
    [true, { properties: { a: { $ref: '#' } } }],
    [true, { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }],
    [true, { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { not: { $ref: '#/$defs/a' } } } }],
    [true, { $recursiveAnchor: true, items: { $recursiveRef: '#' } }],
    [false, { properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/a' } }, $defs: { a: { items: { $ref: '#/$defs/b' } }, b: {} } }],
    [false, { properties: { $ref: { type: 'string' } }, const: { $ref: '#' } }],
    [false, {}],
  ])('%s: %j', (expected, schema) => {
    expect(containsItself(schema, new References(schema))).toBe(expected);
  });
});

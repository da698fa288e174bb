import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator, type JSONSchema } from '../../src/index.ts';
import { textTest } from '../../src/validation/text-test.ts';

const outcome = async (schema: JSONSchema, value: unknown): Promise<unknown> =>
  getValidator(schema)(value).catch((error: unknown) =>
    (error as { errors: { path: string; keyword: string }[] }).errors.map(({ path, keyword }) => `${path} ${keyword}`),
  );

describe('a condition', () => {
  const integer: JSONSchema = { type: 'integer' };
  const text: JSONSchema = { type: 'string' };
  const object = (condition: JSONSchema, more: JSONSchema = {}): JSONSchema => ({
    type: 'object',
    properties: { age: integer, kind: text, address: { type: 'object' }, value: { type: ['string', 'integer'] } },
    if: condition,
    then: { properties: { value: integer } },
    ...more,
  });

  it.each<[string, JSONSchema, object, object]>([
    ['on a bound', { properties: { age: { minimum: 18 } }, required: ['age'] }, { age: 10 }, { age: 18 }],
    ['that is denied', { not: { properties: { kind: { const: 'a' } } } }, { kind: 'a' }, { kind: 'b' }],
    [
      'on what lies deeper',
      { properties: { address: { properties: { country: { const: 'US' } } } } },
      { address: { country: 'GB' } },
      { address: { country: 'US' } },
    ],
    ['that is named', { $ref: '#/$defs/grown' }, { age: 10 }, { age: 18 }],
    ['on a literal', { properties: { kind: { const: 'a' } }, required: ['kind'] }, { kind: 'b' }, { kind: 'a' }],
    ['on an object', { properties: { address: { const: { a: 1 } } }, required: ['address'] }, { address: { a: 2 } }, { address: { a: 1 } }],
    ['with a default', { properties: { age: { default: 20, minimum: 18 } }, required: ['age'] }, {}, { age: 18 }],
  ])('%s decides what texts become', async (_name, condition, no, yes) => {
    const $defs = { grown: { properties: { age: { minimum: 18 } }, required: ['age'] } };
    expect(await outcome(object(condition, { $defs }), { ...no, value: '5' })).toEqual({ ...no, value: '5' });
    expect(await outcome(object(condition, { $defs }), { ...yes, value: '5' })).toEqual({ ...yes, value: 5 });
    const either = object(condition, { $defs, else: { properties: { value: text } } });
    expect(await outcome(either, { ...no, value: '5' })).toEqual({ ...no, value: '5' });
  });

  it('on a schema that contains itself is asked for a bounded time', async () => {
    const tree = {
      anyOf: Array.from({ length: 4 }, () => ({ type: 'object', properties: { next: { $ref: '#/$defs/tree' } }, required: ['next'] })),
    };
    const schema: JSONSchema = {
      type: 'object',
      $defs: { tree },
      properties: { next: {}, value: {} },
      if: tree,
      then: { properties: { value: integer } },
    };
    const deep = Array.from({ length: 50 }).reduce<object>((next) => ({ next }), {});
    expect(await outcome(schema, { next: deep, value: '5' })).toEqual([expect.any(String)]);
    expect(await outcome(schema, { next: {}, value: '5' })).toEqual({ next: {}, value: '5' });
  });
});

describe('several schemas of one value', () => {
  const either =
    (...schemas: JSONSchema[]) =>
    async (value: unknown): Promise<unknown> => {
      const made = await outcome({ type: 'object', properties: { value: { anyOf: schemas } } }, { value });
      return Array.isArray(made) ? made : (made as { value: unknown }).value;
    };
  const integer: JSONSchema = { type: 'integer' };

  it('take a text as a number where those that take texts do not take it', async () => {
    const uuid = '3e4666bf-d5e5-4aa7-b8ce-cefe41c7568a';
    const id = either(integer, { type: 'string', format: 'uuid' });
    expect([await id('5'), await id(uuid), await id('x')]).toEqual([5, uuid, ['value type', 'value format']]);
    const word = either({ type: 'string', pattern: '^[a-z]+$' }, integer);
    expect([await word('5'), await word('five')]).toEqual([5, 'five']);
    const short = either({ type: 'string', minLength: 2, maxLength: 3 }, integer);
    expect([await short('5'), await short('55'), await short('5555'), await short('😀😀😀'), await short('😀')]).toEqual([
      5,
      '55',
      5555,
      '😀😀😀',
      ['value minLength', 'value type'],
    ]);
    const inside = either(
      { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } },
      { type: 'object', properties: { id: integer } },
    );
    expect([await inside({ id: '5' }), await inside({ id: uuid })]).toEqual([{ id: 5 }, { id: uuid }]);
  });

  it('take no text that is not as it has to be as nothing, or as a list', async () => {
    const address = either({ type: 'string', minLength: 1 }, { type: 'null' });
    expect([await address(''), await address('null'), await address(null)]).toEqual([['value minLength', 'value type'], 'null', null]);
    const words = either({ type: 'string', maxLength: 2 }, { type: 'array', items: { type: 'string' } });
    expect([await words('abc'), await words(['abc'])]).toEqual([['value maxLength', 'value type'], ['abc']]);
  });

  it('convert it all where it has to be one of each of two lists', async () => {
    const kind = (value: number, more: object): JSONSchema => ({ properties: { kind: { const: value }, ...more }, required: ['kind'] });
    const schema: JSONSchema = {
      type: 'object',
      properties: { a: integer },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      oneOf: [kind(1, { count: integer }), kind(2, {})],
    };
    expect(await outcome(schema, { a: '1', kind: '1', count: '7' })).toEqual({ a: 1, kind: 1, count: 7 });
    expect(await outcome(schema, { a: '1', kind: '2', count: '7' })).toEqual({ a: 1, kind: 2, count: '7' });
  });

  it('convert it where it has a property', async () => {
    const more = { a: { properties: { b: integer } } };
    for (const keyword of ['dependentSchemas', 'dependencies']) {
      expect(await outcome({ type: 'object', [keyword]: more }, { a: '1', b: '2' })).toEqual({ a: '1', b: 2 });
      expect(await outcome({ type: 'object', [keyword]: more }, { b: '2' })).toEqual({ b: '2' });
    }
    expect(await outcome({ type: 'object', dependencies: { a: ['b'] } }, { a: '1', b: '2' })).toEqual({ a: '1', b: '2' });
  });
});

describe('a text', () => {
  it('is told from others as a validator tells them, where that is known', () => {
    const { formats } = createAjv()
      .addFormat('even', (text: string) => text.length % 2 === 0)
      .addFormat('all', true)
      .addFormat('word', /^[a-z]+$/g)
      .addFormat('digit', '^[0-9]$')
      .addFormat('own', { validate: /^x/ })
      .addFormat('other', { validate: '^y' })
      .addFormat('count', { type: 'number', validate: () => false });
    const taken = (schema: JSONSchema, texts: string[]): unknown => {
      const test = textTest(schema, formats);
      return test && texts.map((text) => test(text));
    };
    expect(taken({ format: 'even' }, ['a', 'ab'])).toEqual([false, true]);
    expect(taken({ format: 'word' }, ['ab', 'ab', '1'])).toEqual([true, true, false]);
    expect(taken({ format: 'digit' }, ['1', 'a'])).toEqual([true, false]);
    expect(taken({ format: 'own' }, ['x', 'y'])).toEqual([true, false]);
    expect(taken({ format: 'other' }, ['x', 'y'])).toEqual([false, true]);
    expect(taken({ pattern: '^a', maxLength: 2 }, ['a', 'b', 'abc'])).toEqual([true, false, false]);
    for (const free of [
      {},
      { format: 'all' },
      { format: 'count' },
      { format: 'unknown' },
      { format: 'toString' },
      { minLength: 0 },
      { pattern: '\\-' },
    ])
      expect([free, taken(free, ['a'])]).toEqual([free, undefined]);
  });
});

describe('a value that a schema takes as it is', () => {
  it('stays so', async () => {
    const seed = Number(process.env.VALUE_SEED ?? 20_261_130);
    const random = new Random(seed);
    const variety = new Variety();
    const rounds = Number(process.env.VALUES ?? 80);
    for (let round = 0; round < rounds; round++) {
      const schema = someSchema(random, 0);
      const takes = createAjv({ useDefaults: false }, '2019-09').compile(schema);
      const validate = getValidator(schema);
      for (let turn = 0; turn < 40; turn++) {
        const value = someValue(random, 0);
        if (!takes(value)) continue;
        const seen = `seed ${String(seed)}: ${JSON.stringify([schema, value])}`;
        const made = await validate(value).catch((error: unknown) => (error as { errors: unknown }).errors);
        expect([seen, made]).toEqual([seen, value]);
        variety.tried(seen);
        for (const [, keyword = ''] of JSON.stringify(schema).matchAll(/"(\w+)":/g)) variety.took(keyword);
      }
    }
    console.log(variety.report('Values that are right', seed));
    variety.expect(rounds, { if: 20, anyOf: 20, oneOf: 20, allOf: 20, not: 20, pattern: 20, dependentSchemas: 20, patternProperties: 20 });
  });
});

const SCALARS: readonly unknown[] = [0, 1, 5, 12, '0', '1', '5', '12', 'a', 'ab', '', 'null', 'true', true, false, null, '2020-02-02'];
const NAMES = ['a', 'b', 'c'] as const;

function someValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 2 ? 3 : 8);
  if (kind < 3) return random.pick(SCALARS);
  if (kind === 3) return Array.from({ length: random.below(3) }, () => someValue(random, depth + 1));
  return Object.fromEntries(NAMES.flatMap((name) => (random.oneIn(3) ? [] : [[name, someValue(random, depth + 1)]])));
}

function someSchema(random: Random, depth: number): JSONSchema {
  const inner = (): JSONSchema => someSchema(random, depth + 1);
  const named = (): Record<string, JSONSchema> => Object.fromEntries(NAMES.flatMap((name) => (random.oneIn(2) ? [] : [[name, inner()]])));
  const simple: readonly (() => JSONSchema)[] = [
    () => ({ type: random.pick(['integer', 'number', 'boolean', 'string', 'null']) }),
    () => ({ type: [random.pick(['integer', 'boolean', 'null']), random.pick(['number', 'array', 'object', 'string'])] }),
    () => ({ type: 'string', pattern: random.pick(['^[a-z]+$', '^.$']) }),
    () => ({ type: 'string', minLength: random.below(2), maxLength: random.below(3) }),
    () => ({ type: 'string', format: random.pick(['date', 'uuid']) }),
    () => ({ type: 'integer', minimum: random.below(6) }),
    () => ({ const: random.pick(SCALARS) }),
    () => ({ enum: [...new Set([random.pick(SCALARS), random.pick(SCALARS)])] }),
    () => ({ required: [random.pick(NAMES)] }),
    () => ({}),
  ];
  const joined: readonly (() => JSONSchema)[] = [
    () => ({ type: 'object', properties: named(), ...(random.oneIn(2) ? {} : { required: [random.pick(NAMES)] }) }),
    () => ({ type: 'object', properties: named(), additionalProperties: random.oneIn(3) ? (false as const) : inner() }),
    () => ({ type: 'object', patternProperties: { [`^[${random.pick(NAMES)}b]`]: inner() }, properties: named() }),
    () => ({ type: 'array', items: inner() }),
    () => ({ type: 'array', items: [inner(), inner()], additionalItems: inner() }),
    () => ({ oneOf: [inner(), inner()] }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ allOf: [inner(), inner()] }),
    () => ({ anyOf: [inner(), inner()], oneOf: [inner(), inner()] }),
    () => ({ not: inner() }),
    () => ({ if: inner(), then: inner(), ...(random.oneIn(2) ? {} : { else: inner() }) }),
    () => ({
      type: 'object',
      properties: named(),
      if: { properties: named() },
      then: { properties: named() },
      else: { properties: named() },
    }),
    () => ({ dependentSchemas: { [random.pick(NAMES)]: inner() } }),
  ];
  return random.pick(depth > 2 || (depth > 0 && random.oneIn(2)) ? simple : joined)();
}

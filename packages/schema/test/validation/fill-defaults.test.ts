import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { createAjv, getDataValidator, getValidator, type JSONSchema, type Validator } from '../../src/index.ts';
import { withoutDefaults } from '../../src/query/definitions.ts';
import { RecordChecks } from '../../src/record-checks.ts';

const closed = { type: 'object', additionalProperties: false };
const cat = { ...closed, properties: { name: { type: 'string' }, meows: { default: true } }, required: ['name', 'meows'] };
const dog = {
  ...closed,
  properties: { name: { type: 'string' }, age: { type: 'number' }, collar: { ...closed, properties: { size: { default: 5 } } } },
  required: ['name', 'age'],
};
/** The alternatives as they stand, and behind references. */
const pets: readonly [string, JSONSchema][] = [
  ['inline', { anyOf: [cat, dog] }],
  ['behind references', { anyOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }], $defs: { cat, dog } }],
  ['behind references, of which one holds', { oneOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }], $defs: { cat, dog } }],
  [
    'behind several references',
    {
      anyOf: [{ $ref: '#/$defs/felines' }, { allOf: [{ $ref: '#/$defs/dog' }] }],
      $defs: { felines: { anyOf: [{ $ref: '#/$defs/cat' }] }, cat, dog },
    },
  ],
];

describe('defaults of alternatives', () => {
  it.each(pets)('are those of the one that the value fits: %s', async (_where, union) => {
    const nested = { type: 'object', properties: { pet: union, pets: { type: 'array', items: union } } } as JSONSchema;
    const { $defs, ...alternatives } = union;
    const inside = {
      ...nested,
      properties: { pet: alternatives, pets: { type: 'array', items: alternatives } },
      ...($defs ? { $defs } : {}),
    };
    const wanted = [
      [{ name: 'a' }, { name: 'a', meows: true }],
      [
        { name: 'a', meows: 5 },
        { name: 'a', meows: 5 },
      ],
      [
        { name: 'a', age: 5 },
        { name: 'a', age: 5 },
      ],
      [
        { name: 'a', age: 5, collar: {} },
        { name: 'a', age: 5, collar: { size: 5 } },
      ],
    ];
    for (const [given, filled] of wanted) {
      const before = structuredClone(given);
      expect(await getValidator(union)(given)).toEqual(filled);
      expect(await getValidator(inside as JSONSchema)({ pet: given, pets: [given] })).toEqual({ pet: filled, pets: [filled] });
      expect(given).toEqual(before);
    }
    await expect(getValidator(union)({ name: 'a', meows: true, age: 5 })).rejects.toMatchObject({ code: 400 });
  });

  it('are filled in where the same schema stands in several places', async () => {
    const pet = { anyOf: [cat, dog] };
    const owner = getValidator({ type: 'object', properties: { first: pet, second: pet, third: { anyOf: [pet, { type: 'null' }] } } });
    expect(await owner({ first: { name: 'a', age: 1 }, second: { name: 'b' }, third: { name: 'c' } })).toEqual({
      first: { name: 'a', age: 1 },
      second: { name: 'b', meows: true },
      third: { name: 'c', meows: true },
    });
  });

  it('are filled in for libraries that write references', async () => {
    const Address = z.object({ street: z.string(), country: z.string().default('CH') }).meta({ id: 'Address' });
    const Box = z.object({ box: z.string() }).meta({ id: 'Box' });
    const record = z.object({ id: z.string(), home: z.union([Address, Box]), work: Address.nullable() });
    const checks = new RecordChecks({ record, extensions: {} });
    const validate = async (data: object): Promise<unknown> => checks.validate(data, 'create', { provider: 'rest' });
    expect(await validate({ home: { box: 'x' }, work: { street: 'a' } })).toEqual({
      home: { box: 'x' },
      work: { street: 'a', country: 'CH' },
    });
    expect(await validate({ home: { street: 'b' }, work: null })).toEqual({ home: { street: 'b', country: 'CH' }, work: null });
  });

  it('are left out of patches of a union, and of what is only tried', async () => {
    for (const [, union] of pets) expect(await getDataValidator(union).patch({ name: 'a' })).toEqual({ name: 'a' });
    const $defs = { cat, dog, named: { type: 'object', properties: { made: { default: 1 } }, required: ['age'] } };
    const reference = { $ref: '#/$defs/named' };
    for (const tried of [{ not: { $ref: '#/$defs/cat' } }, { if: reference, else: { required: ['x'] } }, { contains: reference }]) {
      const value = 'contains' in tried ? [{ age: 1 }] : { age: 1 };
      expect(await getValidator({ ...tried, $defs } as JSONSchema)(value)).toEqual(value);
    }
    const then = getValidator({
      if: { required: ['age'] },
      then: { $ref: '#/$defs/dog' },
      else: { $ref: '#/$defs/cat' },
      $defs,
    } as JSONSchema);
    expect(await then({ name: 'a', age: 1, collar: {} })).toEqual({ name: 'a', age: 1, collar: { size: 5 } });
    expect(await then({ name: 'a' })).toEqual({ name: 'a', meows: true });
  });

  it.each<[string, JSONSchema, unknown[], unknown[]]>([
    ['behind the first', { prefixItems: [{ type: 'integer' }] }, [1, {}, { a: 2 }], [1, { a: 1 }, { a: 2 }]],
    ['behind those of a part', { allOf: [{ prefixItems: [{}, {}] }] }, [{}, {}, {}], [{}, {}, { a: 1 }]],
    ['all of them', {}, [{}, {}], [{ a: 1 }, { a: 1 }]],
    ['none where others are described', { items: { type: 'object' } }, [{}], [{}]],
    [
      'none where some are looked for: validators take all for described',
      { contains: { required: ['b'] } },
      [{ b: 1 }, {}],
      [{ b: 1 }, {}],
    ],
  ])('are those of elements that nothing else describes: %s', async (_which, list, given, filled) => {
    const rest = { type: 'object', properties: { a: { default: 1 } }, required: ['a'] };
    const schema = { type: 'object', properties: { list: { ...list, type: 'array', unevaluatedItems: rest } } };
    expect(await getValidator(schema as JSONSchema)({ list: given })).toEqual({ list: filled });
  });

  it('come first from an alternative that fits as it is, and fit themselves', async () => {
    const one = { properties: { a: { default: 1 } }, required: ['a'] };
    const other = { properties: { b: { type: 'number' }, c: { default: 3 } }, required: ['b'] };
    const unfit = { properties: { d: { default: 4 } }, propertyNames: { enum: ['a'] } };
    expect(await getValidator({ anyOf: [one, other] })({ b: 1 })).toEqual({ b: 1, c: 3 });
    expect(await getValidator({ anyOf: [one, other] })({})).toEqual({ a: 1 });
    expect(await getValidator({ anyOf: [unfit, one] })({})).toEqual({});
    // With its default it would fit both.
    expect(await getValidator({ oneOf: [{ properties: { a: { default: 1 } }, required: ['b'] }, { required: ['a'] }] })({ b: 1 })).toEqual({
      b: 1,
    });
  });

  it('follow values that nest, and end with them', async () => {
    const node = {
      anyOf: [
        {
          ...closed,
          properties: { text: {}, children: { type: 'array', items: { $ref: '#/$defs/node' } }, mark: { default: 1 } },
          required: ['text'],
        },
        { ...closed, properties: { image: {}, child: { $ref: '#/$defs/node' }, mark: { default: 2 } }, required: ['image'] },
      ],
    };
    const validate = getValidator({ $ref: '#/$defs/node', $defs: { node } } as JSONSchema);
    const given = { text: 'a', children: [{ image: 'b', child: { text: 'c' } }, { text: 'd' }] };
    expect(await validate(given)).toEqual({
      text: 'a',
      mark: 1,
      children: [
        { image: 'b', mark: 2, child: { text: 'c', mark: 1 } },
        { text: 'd', mark: 1 },
      ],
    });
    const endless = { properties: { next: { $ref: '#', default: {} } } } as JSONSchema;
    expect(() => getValidator(endless)).toThrow("The default of 'next' is {}, which its own schema does not take");
  });
});

describe('defaults beside alternatives', () => {
  it('are filled in wherever a validator fills them in', async () => {
    const schemas: readonly [JSONSchema, unknown, unknown][] = [
      [{ items: [{}, { default: 2 }], additionalItems: { properties: { a: { default: 1 } } } }, [0, undefined, {}], [0, 2, { a: 1 }]],
      [{ prefixItems: [{ properties: { a: { default: 1 } } }] }, [{}], [{ a: 1 }]],
      [{ patternProperties: { '^a': { properties: { b: { default: 1 } } } } }, { aa: {}, c: {} }, { aa: { b: 1 }, c: {} }],
      [{ properties: { a: { default: {} } }, patternProperties: { '^a': { properties: { b: { default: 1 } } } } }, {}, { a: { b: 1 } }],
      [
        { $ref: '#/$defs/one', allOf: [{ properties: { a: { default: 2 } } }], $defs: { one: { properties: { a: { default: 1 } } } } },
        {},
        { a: 1 },
      ],
      [
        { properties: { a: {} }, additionalProperties: { properties: { b: { default: 1 } } } },
        { a: {}, c: {} },
        { a: {}, c: { b: 1 } },
      ],
      [{ dependentSchemas: { a: { properties: { b: { default: 1 } } } } }, { a: 0 }, { a: 0, b: 1 }],
      [
        { properties: { a: {} }, unevaluatedProperties: { properties: { b: { default: 1 } } } },
        { a: {}, c: {} },
        { a: {}, c: { b: 1 } },
      ],
      [{ properties: { a: { default: { b: {} }, properties: { b: { properties: { c: { default: 1 } } } } } } }, {}, { a: { b: { c: 1 } } }],
      [{ properties: { a: { default: null }, b: { default: 1 } } }, { b: undefined }, { a: null, b: 1 }],
    ];
    for (const [schema, given, filled] of schemas) expect(await getValidator(schema)(given)).toEqual(filled);
  });

  it('depend on what the validator of the user fills in', async () => {
    const schema = { type: 'object', properties: { a: { default: 1 }, b: { default: 2 } } };
    const filled = async (useDefaults: boolean | 'empty') => getValidator(schema, createAjv({ useDefaults }))({ a: '' });
    expect([await filled(false), await filled(true), await filled('empty')]).toEqual([{ a: '' }, { a: '', b: 2 }, { a: 1, b: 2 }]);
    expect(await getValidator(schema, new Ajv())({})).toEqual({});
  });

  it('are each a value of its own', async () => {
    const validate = getValidator({ properties: { a: { default: { list: [] } } } } as JSONSchema);
    const [one, other] = (await Promise.all([validate({}), validate({})])) as { a: { list: unknown[] } }[];
    one?.a.list.push(1);
    expect([other, await validate({})]).toEqual([{ a: { list: [] } }, { a: { list: [] } }]);
  });

  it('reach instances of classes, but not while alternatives are tried', async () => {
    class Place {
      readonly city = 'Bern';
    }
    const place = { properties: { city: {}, country: { default: 'CH' } } };
    expect(await getValidator(place as JSONSchema)(new Place())).toEqual(Object.assign(new Place(), { country: 'CH' }));
    expect(await getValidator({ properties: { at: { anyOf: [place, {}] } } } as JSONSchema)({ at: new Place() })).toEqual({
      at: new Place(),
    });
  });
});

const NAMES = ['a', 'b', 'c'] as const;
const seed = Number(process.env.FILL_SEED ?? 20_261_129);
const rounds = Number(process.env.FILL_ROUNDS ?? 40);

describe('any schema without alternatives', () => {
  it('is filled in by the validator itself as it is behind a reference, where it is filled in before', async () => {
    const [random, variety] = [new Random(seed), new Variety()];
    for (let round = 0; round < rounds; round++) {
      const { plain, itself } = someTaken(random);
      const before = getValidator({ $ref: '#/$defs/plain', $defs: { plain } });
      for (let at = 0; at < 8; at++) {
        const given = someObject(random, 0);
        const seen = `seed ${String(seed)}: ${JSON.stringify([plain, given])}`;
        const [one, other] = await Promise.all([itself, before].map(async (validate) => validate(given).catch(() => 'refused')));
        expect([seen, other]).toEqual([seen, one]);
        variety.tried(seen);
        variety.took(one === 'refused' ? 'refused' : JSON.stringify(one) === JSON.stringify(given) ? 'kept' : 'filled');
      }
    }
    console.log(variety.report('Schemas with defaults', seed));
    variety.expect(rounds * 4, { refused: rounds / 2, kept: rounds / 2, filled: rounds });
  });
});

describe('any union', () => {
  it('means the same inline and behind references, and takes what it has filled in', async () => {
    const [random, variety] = [new Random(seed), new Variety()];
    for (let round = 0; round < rounds; round++) {
      const inline = someUnion(random, 0);
      const $defs: Record<string, JSONSchema> = {};
      const referring: JSONSchema = { ...inReferences(inline, $defs), $defs };
      const validators = [getValidator(inline), getValidator(referring), getValidator(withoutDefaults(inline))];
      for (let at = 0; at < 8; at++) {
        const given = someObject(random, 0);
        const seen = `seed ${String(seed)}: ${JSON.stringify([inline, given])}`;
        const [one, other, plain] = await Promise.all(validators.map(async (validate) => validate(given).catch(() => 'refused')));
        expect([seen, other]).toEqual([seen, one]);
        if (one !== 'refused') expect([seen, await validators[2]?.(one)]).toEqual([seen, one]);
        variety.tried(seen);
        variety.took(one === 'refused' ? 'refused' : JSON.stringify(one) === JSON.stringify(given) ? 'kept' : 'filled');
        if (plain === 'refused' && one !== 'refused') variety.took('taken by defaults');
      }
    }
    console.log(variety.report('Unions with defaults', seed));
    variety.expect(rounds * 4, { refused: rounds, kept: rounds / 2, filled: rounds / 2, 'taken by defaults': rounds / 5 });
  });
});

/** Objects, lists, patterns and parts: of each only what is checked whatever the value is. */
function somePlainRecord(random: Random, depth: number): JSONSchema {
  const somePart = (): JSONSchema => {
    if (depth < 2 && random.oneIn(2)) return { ...somePlainRecord(random, depth + 1), ...(random.oneIn(2) ? { default: {} } : {}) };
    if (random.oneIn(4)) return { default: [{}], items: { properties: { a: { default: random.below(3) } } } };
    return random.oneIn(2) ? {} : { default: random.below(3) };
  };
  const named = NAMES.filter(() => random.oneIn(2));
  return {
    properties: Object.fromEntries(named.map((name) => [name, somePart()])),
    ...(random.oneIn(4) ? { patternProperties: { '^[ab]$': somePart() } } : {}),
    ...(random.oneIn(4) ? { additionalProperties: random.oneIn(2) ? somePart() : false } : {}),
    ...(random.oneIn(4) ? { required: NAMES.filter(() => random.oneIn(4)) } : {}),
    ...(depth < 2 && random.oneIn(4) ? { allOf: [somePlainRecord(random, depth + 1)] } : {}),
  };
}

/** Objects that need something do not take `{}` as their default. */
function someTaken(random: Random): { readonly plain: JSONSchema; readonly itself: Validator } {
  for (;;) {
    const plain = somePlainRecord(random, 0);
    try {
      return { plain, itself: getValidator(plain) };
    } catch (error) {
      expect(String(error)).toContain('which its own schema does not take');
    }
  }
}

function someUnion(random: Random, depth: number): JSONSchema {
  const alternatives = Array.from({ length: 2 + random.below(2) }, () => someAlternative(random, depth + 1));
  return { [random.oneIn(3) ? 'oneOf' : 'anyOf']: alternatives };
}

function someAlternative(random: Random, depth: number): JSONSchema {
  if (depth < 3 && random.oneIn(4))
    return random.oneIn(2) ? someUnion(random, depth) : { allOf: [someUnion(random, depth), someRecord(random, depth)] };
  return someRecord(random, depth);
}

function someRecord(random: Random, depth: number): JSONSchema {
  const named = NAMES.filter(() => !random.oneIn(3));
  const properties = named.map((name) => {
    if (depth < 3 && random.oneIn(3)) return [name, someUnion(random, depth)] as const;
    const value = random.below(3);
    const literal = random.oneIn(3) ? { enum: [value] } : {};
    return [name, random.oneIn(2) ? literal : { ...literal, default: value }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: named.filter(() => random.oneIn(2)),
    ...(random.oneIn(2) ? { additionalProperties: false } : {}),
  };
}

function someObject(random: Random, depth: number): Record<string, unknown> {
  const entries = NAMES.flatMap((name) => {
    if (random.oneIn(2)) return [];
    return [[name, depth < 2 && random.oneIn(3) ? someObject(random, depth + 1) : random.below(3)] as const];
  });
  return Object.fromEntries(entries);
}

/** Puts what stands in alternatives and parts behind references. */
function inReferences(schema: JSONSchema, $defs: Record<string, JSONSchema>): JSONSchema {
  const placed = (part: JSONSchema): JSONSchema => {
    const name = `part${String(Object.keys($defs).length)}`;
    $defs[name] = {};
    $defs[name] = inReferences(part, $defs);
    return { $ref: `#/$defs/${name}` };
  };
  const copy = { ...schema };
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) if (copy[keyword]) copy[keyword] = copy[keyword].map(placed);
  if (copy.properties)
    copy.properties = Object.fromEntries(Object.entries(copy.properties).map(([name, part]) => [name, inReferences(part, $defs)]));
  return copy;
}

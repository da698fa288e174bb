import { describe, expect, it } from '@jest/globals';
import { ADMIN, admin, described, written } from './harness.ts';

const string = { type: 'string' };
const secret = { type: 'string', hidden: true };

describe('a value as it is sent', () => {
  it.each<[string, unknown]>([
    ['words', { title: 'A', description: 'A text.', deprecated: true, type: 'string' }],
    ['the form of a text', { type: 'string', format: 'email', pattern: '^a', minLength: 1, maxLength: 5 }],
    ['content', { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }],
    ['numbers', { type: 'integer', minimum: 0, maximum: 5, multipleOf: 2 }],
    ['open bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 5 }],
    ['a list', { type: 'array', items: string, minItems: 1, maxItems: 5, uniqueItems: true }],
    ['what a list holds', { type: 'array', items: string, contains: { const: 'a' }, minContains: 1, maxContains: 2 }],
    ['a list by position', { type: 'array', prefixItems: [string, { type: 'integer' }], items: false, minItems: 2 }],
    ['elements that nothing else describes', { type: 'array', prefixItems: [string], unevaluatedItems: { type: 'integer' } }],
    ['an object', { type: 'object', properties: { a: string, b: { type: 'boolean' } }, required: ['a'] }],
    ['counts of properties', { type: 'object', properties: { a: string }, minProperties: 1, maxProperties: 2 }],
    ['other properties', { type: 'object', properties: { a: string }, additionalProperties: { type: 'integer' } }],
    ['no other properties', { type: 'object', properties: { a: string }, additionalProperties: false }],
    ['any other properties', { type: 'object', properties: { a: string }, additionalProperties: true }],
    ['properties that nothing else describes', { type: 'object', properties: { a: string }, unevaluatedProperties: false }],
    ['properties by pattern', { type: 'object', patternProperties: { '^a': string }, properties: { b: string } }],
    ['names', { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: string }],
    ['properties that need others', { type: 'object', properties: { a: string, b: string }, dependentRequired: { a: ['b'] } }],
    [
      'parts that depend on a property',
      { type: 'object', properties: { a: string }, dependentSchemas: { a: { properties: { b: string } } } },
    ],
    ['several types', { type: ['string', 'integer'] }],
    ['alternatives', { anyOf: [string, { type: 'integer' }] }],
    ['alternatives that exclude each other', { oneOf: [string, { type: 'integer' }] }],
    [
      'intersections',
      {
        allOf: [
          { type: 'object', properties: { a: string } },
          { type: 'object', properties: { b: string } },
        ],
      },
    ],
    ['conditions', { type: 'string', if: { minLength: 2 }, then: { pattern: '^a' }, else: { pattern: '^b' } }],
    ['an intersection of one', { allOf: [{ type: 'string' }] }],
    ['a property that is never there', { type: 'object', properties: { a: string, b: false }, additionalProperties: false }],
    ['what it is not', { type: 'string', not: { const: 'a' } }],
    ['one value', { const: 'a' }],
    ['null alone', { const: null }],
    ['a list of values', { enum: ['a', null, 5] }],
    ['examples', { type: 'string', examples: ['a', 'b'] }],
  ])('keeps %s', (_what, schema) => {
    expect(written(schema)).toEqual(schema);
  });

  it.each<[string, unknown, unknown]>([
    [
      'a date is a text',
      { date: true, title: 'At', description: 'When.', deprecated: true },
      { type: 'string', format: 'date-time', title: 'At', description: 'When.', deprecated: true },
    ],
    ['an example becomes the only one', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }],
    ['a default is not told', { type: 'string', default: 'a' }, { type: 'string' }],
    ['what may be null is null besides', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['what may be null is so once', { type: ['string', 'null'], nullable: true }, { type: ['string', 'null'] }],
    ['what may not be null is not', { type: 'string', nullable: false }, { type: 'string' }],
    ['one type of a list is that type', { type: ['string'] }, { type: 'string' }],
    [
      'positions of older drafts are those of this one',
      { type: 'array', items: [string], additionalItems: false },
      { type: 'array', prefixItems: [string], items: false },
    ],
    [
      'dependencies of older drafts are two keywords',
      { type: 'object', properties: { a: string, b: string }, dependencies: { a: ['b'], b: { required: ['a'] } } },
      {
        type: 'object',
        properties: { a: string, b: string },
        dependentRequired: { a: ['b'] },
        dependentSchemas: { b: { required: ['a'] } },
      },
    ],
    ['nothing is said of what may be anything', {}, {}],
    ['anything goes', true, true],
  ])('%s', (_what, schema, expected) => {
    expect(written(schema)).toEqual(expected);
  });

  it('loses what is no keyword, which may be anything, a rule by role for example', () => {
    expect(
      written(
        { type: 'string', readable: () => true, writable: () => false, 'x-internal': 'table_7', $comment: 'later' },
        { viewer: ADMIN },
      ),
    ).toEqual(string);
  });

  it('has values as JSON has them, and none that JSON does not have', () => {
    const at = new Date(0);
    expect(written({ examples: [at, undefined, () => 'a', 'a'] })).toEqual({ examples: ['1970-01-01T00:00:00.000Z', 'a'] });
    expect(written({ examples: [undefined] })).toEqual({});
  });
});

describe('definitions', () => {
  it('are written once for one place in the record, and may contain themselves', () => {
    const tree = { type: 'object', properties: { name: string, children: { type: 'array', items: { $ref: '#/$defs/tree' } } } };
    const { record, definitions } = described({
      type: 'object',
      properties: { root: { $ref: '#/$defs/tree' } },
      $defs: { tree },
    });
    expect(record).toMatchObject({ properties: { root: { $ref: '#/$defs/tree' } } });
    const inner = { type: 'object', properties: { name: string, children: { type: 'array', items: { $ref: '#/$defs/tree2' } } } };
    expect([definitions.tree, definitions.tree2]).toEqual([inner, inner]);
  });

  it.each([
    ['its name', { $ref: '#/$defs/part' }, { part: string }, 'part'],
    [
      'its $id, by the end of that',
      { $ref: 'https://a.test/schemas/thing' },
      { part: { ...string, $id: 'https://a.test/schemas/thing' } },
      'thing',
    ],
    ['its title, without what is no name', { $ref: '#/$defs/part' }, { part: { ...string, title: 'A part!' } }, 'Apart'],
    ['a common name, where it has none that can be used', { $ref: '#/$defs/part' }, { part: { ...string, title: 'ä' } }, 'Part'],
    [
      'a common name in place of one that objects have',
      { $ref: '#/$defs/__proto__' },
      JSON.parse('{"__proto__":{"type":"string"}}'),
      'Part',
    ],
    ['a common name in place of one that is kept from the viewer', { $ref: '#/$defs/pin' }, { pin: string }, 'Part'],
  ])('have %s', (_what, reference, $defs, name) => {
    const { record, definitions } = described({ type: 'object', properties: { value: reference, pin: secret }, $defs });
    expect(record).toMatchObject({ properties: { value: { $ref: `#/$defs/${name}` } } });
    expect(Object.keys(definitions)).toContain(name);
    expect(definitions[name]).toMatchObject(string);
  });

  it('have names of their own where several have the same', () => {
    const { record, definitions } = described({
      type: 'object',
      properties: { a: { $ref: '#/$defs/one' }, b: { $ref: '#/$defs/two' } },
      $defs: { one: { type: 'string', title: 'same' }, two: { type: 'integer', title: 'same' } },
    });
    expect(record).toMatchObject({ properties: { a: { $ref: '#/$defs/same' }, b: { $ref: '#/$defs/same2' } } });
    expect(definitions).toMatchObject({ same: { type: 'string' }, same2: { type: 'integer' } });
  });

  it('have names of their own, however many have the same', () => {
    const named = (type: string): object => ({ type, title: 'same' });
    const { definitions } = described({
      type: 'object',
      properties: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { $ref: `#/$defs/${name}` }])),
      $defs: { a: named('string'), b: named('integer'), c: named('boolean'), d: named('number') },
    });
    expect(Object.keys(definitions).slice(0, 4)).toEqual(['same', 'same2', 'same3', 'same4']);
    expect(definitions).toMatchObject({ same3: { type: 'boolean' }, same4: { type: 'number' } });
  });

  it('are others for what is sent, for what is created, and for what is put in place of another', () => {
    const part = {
      type: 'object',
      properties: {
        a: string,
        made: { ...string, readOnly: true },
        list: { type: 'array', items: { properties: { made: { readOnly: true } } } },
      },
    };
    const { record, create, update, patch, definitions } = described({
      type: 'object',
      properties: { value: { $ref: '#/$defs/part' } },
      $defs: { part },
    });
    const partOf = (schema: unknown): unknown => {
      const { $ref } = (schema as { properties: { value: { $ref: string } } }).properties.value;
      return Object.keys((definitions[$ref.replace('#/$defs/', '')] as { properties: object }).properties);
    };
    expect([record, create, update, patch].map(partOf)).toEqual([['a', 'made', 'list'], ['a', 'list'], ['a'], ['a']]);
  });

  it('that two keywords lead to are alternatives', () => {
    const { record, definitions } = described({
      type: 'object',
      properties: { value: { $ref: '#/$defs/a', $dynamicRef: '#/$defs/b' } },
      $defs: { a: string, b: { type: 'integer' } },
    });
    expect(record).toMatchObject({ properties: { value: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a2' }] } } });
    expect(definitions).toMatchObject({ a: string, a2: { type: 'integer' } });
  });
});

describe('what is kept from a viewer', () => {
  const person = {
    type: 'object',
    required: ['name', 'pin'],
    properties: { name: string, pin: secret, pay: { type: 'integer', readable: admin } },
  };

  it('is not there, and not among what has to be there', () => {
    expect(written(person)).toEqual({ type: 'object', properties: { name: string }, required: ['name'] });
    expect(written({ ...person, required: ['pin'] })).toEqual({ type: 'object', properties: { name: string } });
  });

  it('is there for those who may see it', () => {
    expect(written(person, { viewer: ADMIN })).toMatchObject({ properties: { name: string, pay: { type: 'integer' } } });
    expect(written(person, { viewer: 'internal' })).toMatchObject({ properties: { name: string, pin: string }, required: ['name', 'pin'] });
  });

  it.each<[string, object]>([
    ['counts of properties', { minProperties: 3, maxProperties: 3 }],
    ['names of properties', { propertyNames: { enum: ['name', 'pin', 'pay'] } }],
    ['what needs others', { dependentRequired: { name: ['pin'] } }],
    ['parts that depend on others', { dependentSchemas: { name: { required: ['pin'] } } }],
    ['dependencies', { dependencies: { name: ['pin'] } }],
    ['what it is not', { not: { required: ['pin'] } }],
    ['conditions', { if: { required: ['pin'] }, then: { required: ['name'] }, else: { required: ['pay'] } }],
  ])('is not told by %s', (_what, more) => {
    expect(written({ ...person, ...more })).toEqual({ type: 'object', properties: { name: string }, required: ['name'] });
  });

  it('is not in values', () => {
    const sample = { name: 'a', pin: '1234', pay: 5 };
    const schema = { ...person, examples: [sample], const: sample, enum: [sample] };
    expect(written(schema)).toMatchObject({ examples: [{ name: 'a' }], const: { name: 'a' }, enum: [{ name: 'a' }] });
    expect(JSON.stringify(written(schema))).not.toContain('1234');
  });

  it('is not told by what a list holds', () => {
    const list = { type: 'array', items: person, contains: { required: ['pin'] }, minContains: 1 };
    expect(written(list)).toEqual({
      type: 'array',
      items: { type: 'object', properties: { name: string }, required: ['name'] },
      minContains: 1,
    });
  });

  it('leaves an element without a description where the element itself is kept', () => {
    expect(written({ type: 'array', items: secret })).toEqual({ type: 'array', items: {} });
    expect(written({ type: 'array', prefixItems: [string, secret], items: secret })).toEqual({
      type: 'array',
      prefixItems: [string, {}],
      items: {},
    });
  });

  it('leaves alternatives without what tells them apart', () => {
    const union = { oneOf: [{ type: 'object', properties: { a: string, pin: secret } }, { type: 'integer' }] };
    const told = [{ type: 'object', properties: { a: string } }, { type: 'integer' }];
    expect(written(union)).toEqual({ anyOf: told });
    expect(written({ ...union, anyOf: [{ type: 'object' }, { type: 'integer' }] })).toEqual({
      anyOf: [{ type: 'object' }, { type: 'integer' }],
      allOf: [{ anyOf: told }],
    });
  });

  it('may be among properties that are not listed, of which others get more', () => {
    const open = { type: 'object', properties: { name: string, pay: { type: 'integer', readable: admin } }, additionalProperties: false };
    expect(written(open)).toEqual({ type: 'object', properties: { name: string } });
    expect(written(open, { viewer: ADMIN })).toEqual({
      type: 'object',
      properties: { name: string, pay: { type: 'integer' } },
      additionalProperties: false,
    });
    const hidden = { ...open, properties: { name: string, pin: secret } };
    expect(written(hidden)).toEqual({ type: 'object', properties: { name: string }, additionalProperties: false });
  });

  it('is not told by positions beside it', () => {
    expect(written({ type: 'array', prefixItems: [secret], items: string })).toEqual({
      type: 'array',
      prefixItems: [{}],
      items: string,
    });
    expect(written({ type: 'array', items: [string, secret], additionalItems: { type: 'integer' } })).toEqual({
      type: 'array',
      prefixItems: [string, {}],
      items: { type: 'integer' },
    });
  });

  it('leaves an intersection one', () => {
    const parts = [
      { type: 'object', properties: { a: string, pin: secret } },
      { type: 'object', properties: { b: string } },
    ];
    expect(written({ allOf: parts })).toEqual({
      allOf: [
        { type: 'object', properties: { a: string } },
        { type: 'object', properties: { b: string } },
      ],
    });
  });

  it('is none of the further properties that callers send', () => {
    const schema = (mark: object): unknown =>
      (
        described({
          type: 'object',
          properties: { value: { type: 'object', properties: { a: string }, additionalProperties: { ...string, ...mark } } },
        }).create as { properties: { value: unknown } }
      ).properties.value;
    expect(schema({})).toEqual({ type: 'object', properties: { a: string }, additionalProperties: string });
    for (const mark of [{ hidden: true }, { readOnly: true }])
      expect(schema(mark)).toEqual({ type: 'object', properties: { a: string }, additionalProperties: false });
  });

  it('does not open what callers send, where others set more', () => {
    const value = { type: 'object', properties: { a: string, pay: { type: 'integer', readable: admin } }, additionalProperties: false };
    const { create, record } = described({ type: 'object', properties: { value } });
    expect(create).toMatchObject({ properties: { value: { properties: { a: string }, additionalProperties: false } } });
    expect((record as { properties: { value: object } }).properties.value).not.toHaveProperty('additionalProperties');
  });

  it('is no property by pattern, and none of the others', () => {
    expect(
      written({
        type: 'object',
        properties: { a: string },
        patternProperties: { '^pin': secret, '^b': string },
        additionalProperties: secret,
      }),
    ).toEqual({
      type: 'object',
      properties: { a: string },
      patternProperties: { '^b': string },
    });
  });

  it('is not named by a pattern for it and others', () => {
    expect(
      written({
        type: 'object',
        properties: { a: string, 'x/pin': secret, d: secret },
        patternProperties: { '^(x-pin|x\\/pin)$': string, '^x-pin$': string, '^\\d[a-d]$': string, '^x-': string },
      }),
    ).toEqual({ type: 'object', properties: { a: string }, patternProperties: { '^x-pin$': string, '^\\d[a-d]$': string, '^x-': string } });
  });
});

describe('a property that every object inherits', () => {
  it('is described where a record has it', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}') as object;
    const { record } = described({ type: 'object', properties });
    expect(JSON.stringify(record)).toBe('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}');
  });
});

describe('data that a library describes', () => {
  const told = (input: unknown): { create: unknown; problems: readonly string[] } => {
    const library = { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }), jsonSchema: { input: () => input } };
    const { create, problems } = described({ type: 'object', properties: { a: string } }, { data: { '~standard': library }, patch: {} });
    return { create, problems };
  };

  it('has no types that JSON does not have, and that is said once', () => {
    const { create, problems } = told({
      type: 'object',
      properties: {
        big: { type: 'bigint' },
        both: { type: ['string', 'symbol', 'bigint'] },
        none: { type: [] },
        again: { type: 'bigint' },
        at: { type: 'Date' },
      },
    });
    expect(create).toMatchObject({ properties: { big: {}, both: {}, none: {}, again: {}, at: { type: 'string', format: 'date-time' } } });
    for (const name of ['big', 'both', 'none']) expect(create).not.toHaveProperty(`properties.${name}.type`);
    expect(problems).toEqual([
      'has a value of the type bigint, which JSON does not have',
      'has a value of the type symbol, bigint, which JSON does not have',
    ]);
  });

  it('has the bounds of older drafts as those of this one', () => {
    const bounds = (value: object): unknown =>
      (told({ properties: { value } }).create as { properties: { value: unknown } }).properties.value;
    expect(bounds({ minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true })).toEqual({
      exclusiveMinimum: 1,
      exclusiveMaximum: 5,
    });
    expect(bounds({ minimum: 1, exclusiveMinimum: false, maximum: 5, exclusiveMaximum: false })).toEqual({ minimum: 1, maximum: 5 });
    expect(bounds({ minimum: 'x', exclusiveMinimum: 'x', maximum: null, exclusiveMaximum: {} })).toEqual({});
    expect(bounds({ minimum: 1, exclusiveMinimum: 0, maximum: 5, exclusiveMaximum: 6 })).toEqual({
      ...{ minimum: 1, exclusiveMinimum: 0 },
      ...{ maximum: 5, exclusiveMaximum: 6 },
    });
  });

  it('takes anything where the library says nothing', () => {
    expect(told({ properties: { a: true, b: {}, c: 'text', d: null } }).create).toMatchObject({
      properties: { a: true, b: {}, c: {}, d: {} },
    });
  });
});

describe('what is told in words, since generators would take it for what is always there', () => {
  const created = (schema: object): unknown =>
    (described({ type: 'object', properties: { value: schema } }).create as { properties: { value: unknown } }).properties.value;

  it('is the default of data that is created', () => {
    expect(created({ type: 'string', default: 'a' })).toEqual({ type: 'string', description: 'Default: `"a"`.' });
    expect(created({ type: 'integer', default: 0, description: 'How many.' })).toEqual({
      type: 'integer',
      description: 'How many. Default: `0`.',
    });
    expect(created({ default: { a: [null] } })).toEqual({ description: 'Default: `{"a":[null]}`.' });
    expect(created({ type: 'string', description: 'A text.' })).toEqual({ type: 'string', description: 'A text.' });
    const { update, patch, record } = described({ type: 'object', properties: { value: { type: 'string', default: 'a' } } });
    for (const schema of [update, patch, record]) expect(schema).toMatchObject({ properties: { value: { type: 'string' } } });
    expect(JSON.stringify([update, patch, record])).not.toContain('efault');
  });

  it('is not what is kept from callers in it', () => {
    const properties = { name: string, pin: { ...secret, writeOnly: false } };
    expect(created({ type: 'object', properties, default: { name: 'a', pin: '1234' } })).toMatchObject({
      description: 'Default: `{"name":"a"}`.',
    });
  });

  it('is no value that JSON does not have', () => {
    expect(written({ type: 'integer', examples: [5n, { size: 5n }, 1, Symbol('a')] })).toEqual({ type: 'integer', examples: [1] });
    expect(written({ type: 'integer', example: 5n })).toEqual({ type: 'integer' });
  });
});

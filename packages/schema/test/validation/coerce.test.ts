import { describe, expect, it } from '@jest/globals';
import { coerce, createAjv, getValidator, querySyntax, type JSONSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { References } from '../../src/record-shape/references.ts';
import { compilerOf } from '../../src/validation/ajv.ts';
import { compileCoercion } from '../../src/validation/coerce.ts';
import { literalConversion, textConversion } from '../../src/validation/coerce-text.ts';
import { judgeOf } from '../../src/validation/judge.ts';
import { typesOf, typeTest } from '../../src/validation/value-type.ts';

const to = (schema: JSONSchema) => (value: unknown) => coerce(schema, value);

describe('a text becomes what the schema asks for', () => {
  it.each<[JSONSchema['type'], readonly (readonly [string, unknown])[]]>([
    [
      'number',
      [
        ['5', 5],
        ['-5', -5],
        ['0', 0],
        ['-0', -0],
        ['0.50', 0.5],
        ['10.25', 10.25],
        ['1e3', 1000],
        ['1E+3', 1000],
        ['25e-1', 2.5],
        ['9007199254740991', 9007199254740991],
        ['9007199254740992', 9007199254740992],
        ['-10000000000000000000000', -1e22],
        ['9007199254740993.5', 9007199254740994],
      ],
    ],
    [
      'number',
      [
        ['', ''],
        ['05', '05'],
        ['5.', '5.'],
        ['.5', '.5'],
        ['+5', '+5'],
        ['5a', '5a'],
        [' 5', ' 5'],
        ['1e', '1e'],
        ['1e309', '1e309'],
        ['0x5', '0x5'],
        ['NaN', 'NaN'],
        ['1_000', '1_000'],
        ['--5', '--5'],
        // These have no place of their own among numbers.
        ['9007199254740993', '9007199254740993'],
        ['-9007199254740993', '-9007199254740993'],
        ['12345678901234567890123', '12345678901234567890123'],
      ],
    ],
    [
      'integer',
      [
        ['5', 5],
        ['5.5', 5.5],
        ['a', 'a'],
      ],
    ],
    [
      'boolean',
      [
        ['true', true],
        ['false', false],
        ['True', 'True'],
        ['1', '1'],
        ['', ''],
      ],
    ],
    [
      'null',
      [
        ['null', null],
        ['', null],
        ['nil', 'nil'],
      ],
    ],
    [
      ['number', 'null'],
      [
        ['5', 5],
        ['', null],
        ['null', null],
        ['a', 'a'],
      ],
    ],
    [
      ['boolean', 'integer'],
      [
        ['true', true],
        ['5', 5],
        ['null', 'null'],
      ],
    ],
    [
      'string',
      [
        ['5', '5'],
        ['true', 'true'],
        ['', ''],
      ],
    ],
    [
      ['string', 'number', 'null'],
      [
        ['5', '5'],
        ['', ''],
        ['null', 'null'],
      ],
    ],
    ['object', [['5', '5']]],
  ])('%j', (type, pairs) => {
    const convert = to(type === undefined ? {} : { type });
    expect(pairs.map(([text]) => [text, convert(text)])).toEqual(pairs);
  });

  it('and nothing is converted where only texts, or nothing known, is asked for', () => {
    expect([textConversion(['string']), textConversion(['string', 'number']), textConversion(['object']), textConversion([])]).toEqual(
      Array.from({ length: 4 }),
    );
  });

  it('also of the values that a schema lists', () => {
    const convert = literalConversion([1, true, null, 'a', '2']);
    expect(['1', 'true', 'null', 'a', '2', 'b', 1, undefined].map(convert)).toEqual([1, true, null, 'a', '2', 'b', 1, undefined]);
    expect(literalConversion(['1', 1])('1')).toBe('1');
    // Lists and objects have no text that stands for them, and are not handed out.
    const none = literalConversion([[1, 2], {}, Object.create(null)]);
    expect(['1,2', '[object Object]'].map(none)).toEqual(['1,2', '[object Object]']);
    expect(to({ const: 5 })('5')).toBe(5);
    expect(to({ enum: [1, 2] })('2')).toBe(2);
    expect(to({ enum: ['1', '2'], type: 'number' })('2')).toBe('2');
    expect(to({ enum: [1, 2] })('3')).toBe('3');
    expect(to({ const: 'a' })('a')).toBe('a');
  });

  it('dates where it is one', () => {
    expect(to({ date: true })('2020-02-29')).toEqual(new Date('2020-02-29'));
    expect([to({ date: true })('2020-02-30'), to({ date: true })(5)]).toEqual(['2020-02-30', 5]);
  });
});

describe('a value that is no text', () => {
  it.each<[JSONSchema, unknown]>([
    [{ type: 'number' }, 5],
    [{ type: 'number' }, null],
    [{ type: 'boolean' }, 1],
    [{ type: 'null' }, 0],
    [{ type: 'object', properties: { a: { type: 'number' } } }, new Date(0)],
    [{ type: 'object', properties: { a: { type: 'number' } } }, [1]],
    [{ type: 'object', properties: { a: { type: 'number' } } }, null],
    [{ type: 'array', items: { type: 'number' } }, undefined],
    [{ type: 'array', items: { type: 'number' } }, { a: '5' }],
    [{ type: 'array', items: { type: 'number' } }, {}],
    [{ type: 'array', items: { type: 'number' } }, null],
    [{ type: ['array', 'null'], items: { type: 'number' } }, '5'],
    [{ enum: [1, 2] }, 5],
  ])('stays as it is: %j takes %j', (schema, value) => {
    expect(coerce(schema, value)).toBe(value);
  });

  it('is the same one where nothing is converted, and shares its parts where something is', () => {
    const schema: JSONSchema = {
      type: 'object',
      properties: {
        a: { type: 'number' },
        b: { type: 'object', properties: { c: { type: 'number' } } },
        d: { type: 'array', items: { type: 'number' } },
      },
    };
    const value = { a: 1, b: { c: 2 }, d: [1, 2], e: '5' };
    expect(coerce(schema, value)).toBe(value);
    const made = coerce(schema, { ...value, a: '1' }) as typeof value;
    expect(made).toEqual(value);
    expect([made.b === value.b, made.d === value.d]).toEqual([true, true]);
    const given = { ...value, d: [1, '2'] };
    expect(coerce(schema, given)).toEqual(value);
    expect(given.d).toEqual([1, '2']);
  });
});

describe('a list', () => {
  const numbers: JSONSchema = { type: 'array', items: { type: 'number' } };

  it('is made of one value, and of an object with the places of its elements', () => {
    expect(coerce(numbers, '5')).toEqual([5]);
    expect(coerce(numbers, 5)).toEqual([5]);
    expect(coerce(numbers, true)).toEqual([true]);
    expect(coerce(numbers, { 10: '3', 2: '2', 0: '1' })).toEqual([1, 2, 3]);
    expect(coerce({ type: ['array', 'string'], items: { type: 'number' } }, { 0: '1' })).toEqual([1]);
    expect(coerce({ type: ['array', 'string'], items: { type: 'number' } }, '1')).toBe('1');
    expect(coerce(numbers, { 10: '3', '02': '2', 1: '1' })).toEqual([1, 2, 3]);
    expect(coerce(numbers, { 0: '1', length: '2' })).toEqual({ 0: '1', length: '2' });
    expect(coerce(numbers, {})).toEqual({});
  });

  it('may be one type of several', () => {
    const schema: JSONSchema = {
      type: ['array', 'integer', 'null', 'object'],
      items: { type: 'integer' },
      properties: { a: { type: 'boolean' } },
    };
    expect(['5', '', 'x', ['5', 'x'], { 0: '5' }, { a: 'true' }, 5].map(to(schema))).toEqual([5, null, 'x', [5, 'x'], [5], { a: true }, 5]);
  });

  it('is converted element by element, those of a tuple by their place', () => {
    expect(coerce(numbers, ['1', 2, 'a'])).toEqual([1, 2, 'a']);
    const pair = { prefixItems: [{ type: 'number' }, { type: 'boolean' }] };
    expect(coerce({ type: 'array', ...pair, items: { type: 'null' } }, ['1', 'true', ''])).toEqual([1, true, null]);
    expect(coerce({ type: 'array', ...pair }, ['1', 'true', '1'])).toEqual([1, true, '1']);
    const older = { type: 'array', items: [{ type: 'number' }], additionalItems: { type: 'boolean' } };
    expect(coerce(older, ['1', 'true'])).toEqual([1, true]);
    expect(coerce({ type: 'array', items: [{ type: 'number' }] }, ['1', '2'])).toEqual([1, '2']);
  });
});

describe('an object', () => {
  it('is converted by names, by patterns of names, and by what holds for the rest', () => {
    const schema: JSONSchema = {
      type: 'object',
      properties: { a: { type: 'number' } },
      patternProperties: { '^b': { type: 'boolean' }, '^bb': { type: 'number' } },
      additionalProperties: { type: 'null' },
    };
    expect(coerce(schema, { a: '1', b: 'true', bb: 'true', c: '' })).toEqual({ a: 1, b: true, bb: true, c: null });
    expect(coerce({ type: 'object', patternProperties: { '^b': { type: 'boolean' } } }, { b: 'true', c: 'true' })).toEqual({
      b: true,
      c: 'true',
    });
    expect(coerce({ properties: { a: { type: 'number' } } }, { a: '1' })).toEqual({ a: 1 });
    expect(coerce({ type: 'object', additionalProperties: false }, { a: '1' })).toEqual({ a: '1' });
  });

  it('without a prototype is one too', () => {
    const bare = Object.assign(Object.create(null) as object, { a: '1' });
    expect(coerce({ properties: { a: { type: 'number' } } }, bare)).toEqual({ a: 1 });
  });

  it('keeps what would be its prototype', () => {
    const value = JSON.parse('{"__proto__":"1","a":"2"}') as object;
    const made = coerce({ type: 'object', additionalProperties: { type: 'number' } }, value) as object;
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.entries(made)).toEqual([
      ['__proto__', '1'],
      ['a', 2],
    ]);
  });
});

describe('several schemas of one value', () => {
  it('take the first branch that takes the value as it is, and else the first that takes it converted', () => {
    const schema: JSONSchema = { anyOf: [{ type: 'number' }, { type: 'string' }] };
    expect(coerce(schema, '5')).toBe('5');
    expect(coerce({ anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'true')).toBe(true);
    expect(coerce({ oneOf: [{ type: 'boolean' }, { type: 'number' }] }, '5')).toBe(5);
    expect(coerce({ anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'a')).toBe('a');
    expect(coerce({ anyOf: [{ const: 1 }, { enum: [true] }] }, '1')).toBe(1);
    expect(coerce({ anyOf: [{ const: 1 }, { enum: [true] }] }, 'true')).toBe(true);
    expect(coerce({ anyOf: [{ date: true }, { type: 'null' }] }, '2020-01-01')).toEqual(new Date('2020-01-01'));
    expect(coerce({ anyOf: [{ date: true }, { type: 'null' }] }, '')).toBeNull();
    expect(coerce({ anyOf: [{ type: 'integer' }, { type: 'number' }] }, '5.5')).toBe(5.5);
    expect(coerce({ anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'number' }] }, '5')).toEqual([5]);
    expect(coerce({ anyOf: [true, { type: 'number' }] as never }, '5')).toBe(5);
  });

  it('know a branch by any of its types', () => {
    const schema: JSONSchema = { anyOf: [{ type: ['boolean', 'null'] }, { type: ['integer', 'array'], items: { type: 'integer' } }] };
    expect(['true', '', '5', 'a', { 0: '1' }].map(to(schema))).toEqual([true, null, 5, 'a', [1]]);
  });

  it('take branches of branches, and those that a branch names', () => {
    const schema = {
      $defs: { flag: { type: 'boolean' } },
      anyOf: [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, { $ref: '#/$defs/flag' }],
    };
    expect(['5', '', 'true', 'a'].map(to(schema))).toEqual([5, null, true, 'a']);
  });

  it('all convert it where all hold', () => {
    const schema: JSONSchema = {
      allOf: [{ properties: { a: { type: 'number' } } }, { properties: { b: { type: 'boolean' } } }],
      properties: { c: { type: 'null' } },
    };
    expect(coerce(schema, { a: '1', b: 'true', c: '' })).toEqual({ a: 1, b: true, c: null });
  });

  it('convert it by a condition', () => {
    const schema: JSONSchema = { if: { type: 'object' }, then: { properties: { a: { type: 'number' } } }, else: { type: 'number' } };
    expect([coerce(schema, { a: '1' }), coerce(schema, '1')]).toEqual([{ a: 1 }, 1]);
    expect(coerce({ if: { type: 'object' }, else: { type: 'number' } }, '1')).toBe(1);
    expect(coerce({ if: { type: 'string' }, then: { type: 'number' } }, '1')).toBe(1);
    const listed: JSONSchema = {
      if: { type: 'object' },
      then: { type: 'object', properties: { $in: { type: 'array', items: { type: 'number' } } } },
      else: { anyOf: [{ type: 'array', items: { type: 'number' } }] },
    };
    expect(coerce(listed, { 0: '1', 1: '2' })).toEqual([1, 2]);
    expect(coerce(listed, { $in: '1' })).toEqual({ $in: [1] });
    const numbers: JSONSchema = { type: 'array', items: { type: 'number' } };
    for (const other of [{ $ref: '#/$defs/numbers' }, { oneOf: [numbers] }, { allOf: [numbers] }] as JSONSchema[])
      expect(coerce({ ...listed, else: other, $defs: { numbers } }, { 0: '1', 1: '2' })).toEqual([1, 2]);
  });

  it('may hold themselves', () => {
    const tree = { type: 'object', properties: { size: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } } };
    expect(coerce(tree, { size: '1', children: [{ size: '2', children: [{ size: '3' }] }] })).toEqual({
      size: 1,
      children: [{ size: 2, children: [{ size: 3 }] }],
    });
    const either = { anyOf: [{ type: 'number' }, { $ref: '#' }] };
    expect(coerce(either, '5')).toBe(5);
    const lists = { anyOf: [{ type: 'array', items: { $ref: '#' } }, { type: 'number' }] };
    expect(['5', ['5', ['6']], { 0: '5' }, 'a', '5'].map(to(lists))).toEqual([[5], [5, [6]], [5], ['a'], [5]]);
    const nodes = { type: 'object', properties: { ids: { type: 'array', items: { anyOf: [{ type: 'number' }, { $ref: '#' }] } } } };
    expect(coerce(nodes, { ids: [{ ids: '5' }, '6'] })).toEqual({ ids: [{ ids: [5] }, 6] });
    expect(() => compileCoercion({ $ref: '#/$defs/none' })).toThrow('#/$defs/none');
  });
});

describe('types', () => {
  it('are those that a schema names, or that of an object with properties', () => {
    expect([typesOf({}), typesOf({ properties: {} }), typesOf({ type: 'null' }), typesOf({ type: ['null', 'array'] })]).toEqual([
      [],
      ['object'],
      ['null'],
      ['null', 'array'],
    ]);
  });

  it('are those of JSON Schema', () => {
    const values = [5, 5.5, 'a', true, null, [], {}, undefined];
    const taken = (type: string): unknown[] => values.filter(typeTest(type));
    expect(taken('integer')).toEqual([5]);
    expect(taken('number')).toEqual([5, 5.5]);
    expect(taken('string')).toEqual(['a']);
    expect(taken('boolean')).toEqual([true]);
    expect(taken('null')).toEqual([null]);
    expect(taken('array')).toEqual([[]]);
    expect(taken('object')).toEqual([{}]);
  });
});

describe('a value that callers have nested', () => {
  const tree: JSONSchema = {
    type: 'object',
    properties: { count: { type: 'integer' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  };
  const nested = (levels: number, leaf: object): object => Array.from({ length: levels }).reduce<object>((next) => ({ next }), leaf);

  it('is looked at once, however deeply unions lie in each other', () => {
    const expression: JSONSchema = {
      anyOf: ['and', 'or', 'not', 'xor'].map((op) => ({
        type: 'object',
        properties: { op: { const: op }, next: { $ref: '#' }, count: { type: 'integer' } },
      })),
    };
    for (const schema of [tree, expression]) {
      let reads = 0;
      const leaf = Object.defineProperty({}, 'count', { enumerable: true, get: () => ((reads += 1), '5') });
      expect(JSON.stringify(to(schema)(nested(5, leaf)))).toBe(JSON.stringify(nested(5, { count: 5 })));
      expect(reads).toBeLessThan(20);
    }
  });

  it('is converted as it is each time, also when it has changed', () => {
    const value = { next: { count: '5' } as { count: unknown } };
    const convert = compileCoercion(tree);
    expect(convert(value)).toEqual({ next: { count: 5 } });
    value.next.count = '6';
    expect(convert(value)).toEqual({ next: { count: 6 } });
  });

  it('is refused where it is deeper than records are shown, and does not end the stack', async () => {
    expect(to(tree)(nested(200, { count: '5' }))).toEqual(nested(200, { count: 5 }));
    const validate = getValidator(tree);
    for (const levels of [202, 100_000]) {
      const refusal = {
        code: 400,
        message: 'validation failed',
        errors: [{ path: '', keyword: 'depth', message: 'the value is nested deeper than 200 levels', params: {} }],
      };
      await expect(validate(nested(levels, { count: '5' }))).rejects.toMatchObject(refusal);
      expect(await validate({ count: '5' })).toEqual({ count: 5 });
    }
  });

  it('is refused too where nothing describes it, and a copy is made', async () => {
    const validate = getValidator({ properties: { any: {}, made: { default: 5 } } });
    const lists = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], []);
    expect(await validate({ any: nested(199, {}) })).toEqual({ any: nested(199, {}), made: 5 });
    expect(await validate({ any: lists(199) })).toEqual({ any: lists(199), made: 5 });
    for (const any of [nested(200, {}), lists(200), lists(50_000)])
      await expect(validate({ any })).rejects.toMatchObject({ code: 400, errors: [{ keyword: 'depth' }] });
    const checks = new RecordChecks({ record: { type: 'object', properties: { any: {}, made: { default: 5 } } }, extensions: {} });
    await expect(checks.validate({ any: lists(50_000), other: 1 }, 'create', { provider: 'rest' })).rejects.toMatchObject({
      code: 400,
      errors: [
        { keyword: 'depth', message: expect.stringMatching(/^any\.0\.0.* is nested deeper than 100 levels$/) },
        { path: 'other' },
        { path: '', keyword: 'depth' },
      ],
    });
  });
});

describe('a union of objects', () => {
  const number: JSONSchema = { type: 'object', properties: { kind: { const: 'number' }, value: { type: 'number' } } };
  const flag: JSONSchema = { type: 'object', properties: { kind: { enum: ['flag'] }, on: { type: 'boolean' } } };
  const closed: JSONSchema = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
  const named: JSONSchema = { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false };
  const asked: JSONSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const either = (...anyOf: JSONSchema[]) => to({ anyOf });

  it('is converted by the branch that can mean the value, and not by one that only lets it be', () => {
    expect(either(flag, number)({ kind: 'number', value: '5' })).toEqual({ kind: 'number', value: 5 });
    expect(either(number, flag)({ kind: 'flag', on: 'true' })).toEqual({ kind: 'flag', on: true });
    for (const other of [closed, named, asked, { $ref: '#/$defs/closed' }, { anyOf: [closed, asked] }])
      expect(to({ $defs: { closed }, anyOf: [other, number] })({ value: '5' })).toEqual({ value: 5 });
  });

  it('is told by what its properties are', () => {
    const property = (schema: JSONSchema): JSONSchema => ({ type: 'object', properties: { a: schema } });
    const flags: JSONSchema = { type: 'object', additionalProperties: { type: 'boolean' } };
    expect(either(property({ type: 'boolean' }), property({ date: true }), property({ type: 'integer' }))({ a: '5' })).toEqual({ a: 5 });
    expect(either(property({ type: 'boolean' }), property({ date: true }))({ a: '2020-01-01' })).toEqual({ a: new Date('2020-01-01') });
    expect(either(flags, property(false as never), number)({ a: '5', value: '5' })).toEqual({ a: '5', value: 5 });
  });

  it('is told by all parts of an intersection', () => {
    const dated: JSONSchema = { type: 'object', properties: { at: { date: true } } };
    const as = (kind: string, type: 'number' | 'string'): JSONSchema => ({
      allOf: [dated, { type: 'object', properties: { kind: { const: kind }, value: { type } } }],
    });
    const given = { kind: 'text', value: '5', at: '2020-01-01' };
    expect(either(as('number', 'number'), as('text', 'string'))(given)).toEqual({ ...given, at: new Date('2020-01-01') });
    const condition = { if: { allOf: [dated, flag] }, then: { type: 'object', properties: { value: { type: 'number' } } } } as JSONSchema;
    expect(to(condition)({ kind: 'text', value: '5' })).toEqual({ kind: 'text', value: '5' });
  });

  it('is told by what lies deeper, where its properties do not tell', async () => {
    const property = (schema: JSONSchema): JSONSchema => ({ type: 'object', properties: { a: schema }, required: ['a'] });
    const list = (items: JSONSchema): JSONSchema => ({ type: 'array', items });
    const closedObject = (schema: JSONSchema): JSONSchema => ({ ...property(schema), additionalProperties: false });
    const whole: JSONSchema = { type: 'integer' };
    const dated: JSONSchema = { date: true };
    const day = new Date('2020-01-01');
    const none: JSONSchema = { type: 'null' };
    for (const [one, other, given, expected] of [
      [whole, dated, '2020-01-01', day],
      [list(whole), list(dated), ['2020-01-01'], [day]],
      [closedObject(whole), closedObject(dated), { a: '2020-01-01' }, { a: day }],
      [{ anyOf: [whole, none] }, { anyOf: [dated, none] }, '2020-01-01', day],
      [{ $ref: '#/$defs/whole' }, { $ref: '#/$defs/dated' }, '2020-01-01', day],
    ] as const) {
      const schema: JSONSchema = { anyOf: [property(one), property(other)], $defs: { whole, dated } };
      expect(to(schema)({ a: given })).toEqual({ a: expected });
      expect(await getValidator(schema)({ a: given })).toEqual({ a: expected });
    }
    // As TypeBox writes kinds of which there are several.
    const kinds = (...names: string[]): JSONSchema => ({ anyOf: names.map((name) => ({ const: name, type: 'string' })) });
    const event = (kind: JSONSchema, at: JSONSchema): JSONSchema => ({
      type: 'object',
      properties: { kind, at },
      required: ['kind', 'at'],
    });
    const events = either(event(kinds('sum', 'mean'), list(whole)), event(kinds('day', 'week'), list(dated)));
    expect(events({ kind: 'week', at: ['2020-01-01'] })).toEqual({ kind: 'week', at: [day] });
    expect(events({ kind: 'mean', at: ['5'] })).toEqual({ kind: 'mean', at: [5] });
    expect(events({ kind: 'none', at: ['5'] })).toEqual({ kind: 'none', at: ['5'] });
  });

  it('is told by its properties alone where the validator can not compile a branch by itself', () => {
    const ajv = createAjv({ strictRequired: true });
    const named = (schema: JSONSchema): JSONSchema => ({ properties: { b: { type: 'array', items: schema } }, required: ['a'] });
    const schema: JSONSchema = { type: 'object', properties: { a: {} }, anyOf: [named({ type: 'integer' }), named({ date: true })] };
    const references = new References(schema);
    const convert = compileCoercion(schema, references, judgeOf(references, compilerOf('draft-07', ajv)));
    expect(
      [
        { a: 1, b: ['5'] },
        { a: 1, b: '5' },
      ].map(convert),
    ).toEqual([
      { a: 1, b: ['5'] },
      { a: 1, b: [5] },
    ]);
  });

  it('has no operators where they are not declared', () => {
    const operators: JSONSchema = { type: 'object', properties: { $ne: number }, additionalProperties: false };
    const texts: JSONSchema = { type: 'object', additionalProperties: { type: ['string', 'object'] } };
    for (const free of [{ type: 'object' }, number, texts, {}] as JSONSchema[])
      expect(either(free, operators)({ $ne: { value: '5' } })).toEqual({ $ne: { value: 5 } });
    const declared: JSONSchema = { type: 'object', properties: { $ne: { type: 'object' } } };
    expect(either(declared, operators)({ $ne: { value: '5' } })).toEqual({ $ne: { value: '5' } });
  });

  it('stays as it is where another branch takes it', () => {
    for (const given of [{ name: '5' }, { xy: '5' }, { id: '5', value: '5' }, { kind: 'flag', value: '5' }])
      expect(either(number, closed, named, asked, flag)(given)).toBe(given);
  });

  it('is converted by types alone where the validator mends what does not fit', () => {
    const whole = { type: 'object', properties: { id: { default: 'a' }, value: { type: 'number' } }, required: ['id'] } as JSONSchema;
    expect(either(whole, { type: 'string' })({ value: '5' })).toEqual({ value: 5 });
  });

  it('is met by a condition on the values of properties', () => {
    const condition = { if: { properties: { kind: { const: 'number' } }, required: ['kind'] }, then: number, else: flag };
    expect(to(condition)({ kind: 'number', value: '5', on: 'true' })).toEqual({ kind: 'number', value: 5, on: 'true' });
    expect(to(condition)({ value: '5', on: 'true' })).toEqual({ value: '5', on: true });
  });
});

describe('a union of lists', () => {
  const list = (items: JSONSchema): JSONSchema => ({ type: 'array', items });
  const numbers = list({ type: 'integer' });
  const flags = list({ type: 'boolean' });
  const dates = list({ date: true });
  const [day, at] = ['2020-01-01', new Date('2020-01-01')];

  it.each<[JSONSchema[], unknown, unknown]>([
    [
      [numbers, flags],
      ['true', 'false'],
      [true, false],
    ],
    [[flags, numbers], { 0: '5', 1: '6' }, [5, 6]],
    [[numbers, dates], [day], [at]],
    [[list(numbers), list(dates)], [[day]], [[at]]],
    [
      [numbers, { type: 'array', items: [{ type: 'integer' }, { date: true }] }],
      ['5', day],
      [5, at],
    ],
    [[numbers, { date: true }], day, at],
    [[numbers, { type: 'boolean' }], 'true', true],
    [[numbers, { type: 'boolean' }], '5', [5]],
    [
      [flags, numbers],
      ['a', '5'],
      ['a', '5'],
    ],
  ])('is converted by the branch that takes its elements: %j', (anyOf, given, expected) => {
    expect(to({ anyOf })(given)).toEqual(expected);
  });

  it('may contain itself', () => {
    for (const anyOf of [
      [numbers, { $ref: '#' }],
      [{ $ref: '#' }, numbers],
      [flags, { anyOf: [numbers, { $ref: '#' }] }],
    ])
      expect(to({ anyOf })(['5'])).toEqual([5]);
    expect(to({ anyOf: [{ type: 'number' }, { $ref: '#' }] })(5)).toBe(5);
  });

  it('is looked at a few times, however deeply it is nested', () => {
    let looks = 0;
    const ajv = createAjv();
    ajv.addKeyword({ keyword: 'looked', validate: () => ((looks += 1), true) });
    const end = { type: 'object', looked: true, properties: { value: numbers } } as JSONSchema;
    const node = (value: JSONSchema): JSONSchema => ({ type: 'object', properties: { next: { $ref: '#' }, end, value } });
    const schema: JSONSchema = { anyOf: [node(flags), node(dates)] };
    const references = new References(schema);
    const convert = compileCoercion(schema, references, judgeOf(references, compilerOf('draft-07', ajv)));
    const nested = (levels: number, leaf: object): object => Array.from({ length: levels }).reduce<object>((next) => ({ next }), leaf);
    expect(convert(nested(15, { value: [day] }))).toEqual(nested(15, { value: [at] }));
    looks = 0;
    expect(convert(nested(150, { end: { value: ['5'] }, value: [] }))).toEqual(nested(150, { end: { value: [5] }, value: [] }));
    expect(looks).toBeLessThan(100);
  });
});

describe('null, which clients send as an empty text', () => {
  it.each<[JSONSchema]>([
    [{ type: ['integer', 'null'] }],
    [{ type: 'integer', nullable: true }],
    [{ enum: [1, 2, null] }],
    [{ anyOf: [{ const: 1 }, { const: null }] }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }],
  ])('is null again where a schema takes it: %j', async (schema) => {
    const query = getValidator(querySyntax({ type: 'object', properties: { n: schema } }));
    expect(await query({ n: '' })).toEqual({ n: null });
    expect(await query({ n: { $in: ['', '1'], $ne: '' } })).toEqual({ n: { $in: [null, 1], $ne: null } });
  });

  it('stays a text where that is among the values', () => {
    expect(coerce({ enum: ['', null] }, '')).toBe('');
    expect(coerce({ type: 'string', nullable: true }, '')).toBe('');
    expect(coerce({ type: 'integer', nullable: false }, '')).toBe('');
  });
});

import { describe, expect, it } from '@jest/globals';
import { scope, type } from 'arktype';
import { z } from 'zod';
import { serviceSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { inputSchemaOf, jsonSchemaOf } from '../../src/validation/standard-json-schema.ts';

/** A schema of a library, with what it has beside its validator. */
const library = (standard: object, more: object = {}): object => ({
  '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }), ...standard },
  ...more,
});
const messageOf = (schema: unknown): string => {
  try {
    jsonSchemaOf(schema);
    return 'nothing was thrown';
  } catch (error) {
    return (error as Error).message;
  }
};

const OF_JAVASCRIPT = 'A value that JSON does not have (an instance of a class, a Map, a Set, a bigint, a symbol)';

const FLAG = 'A flag of a pattern (i, m, s, v, y)';
const ARKTYPE_CHANGE = 'A change of what is given, or a default (pipe, trim, parse, delete, =)';

describe('the JSON Schema of a record', () => {
  it('is the very schema, or what a library gives for what it puts out', () => {
    const schema = { type: 'object' };
    expect(jsonSchemaOf(schema)).toBe(schema);
    const asked: unknown[] = [];
    const give = (side: string) => (options: unknown) => (asked.push([side, options]), { title: side });
    const gives = library({ jsonSchema: { input: give('input'), output: give('output') } });
    expect([jsonSchemaOf(gives), inputSchemaOf(gives as never)]).toEqual([{ title: 'output' }, { title: 'input' }]);
    expect(asked).toEqual([
      ['output', { target: 'draft-2020-12' }],
      ['input', { target: 'draft-2020-12' }],
    ]);
    const older = library({}, { json: { type: 'object' }, toJsonSchema: methodOf('json') });
    expect(jsonSchemaOf(older)).toEqual({ type: 'object' });
    const callable = Object.assign(() => undefined, older);
    expect(jsonSchemaOf(callable)).toEqual({ type: 'object' });
  });

  it('of zod has its dates and marks', () => {
    const record = z.object({ at: z.date(), until: z.date().nullable(), pin: z.string().meta({ hidden: true }), any: z.custom<object>() });
    expect(jsonSchemaOf(record)).toMatchObject({
      type: 'object',
      properties: {
        at: { date: true },
        until: { anyOf: [{ date: true }, { type: 'null' }] },
        pin: { type: 'string', hidden: true },
        any: {},
      },
    });
    expect(inputSchemaOf(z.object({ count: z.string().default('a') }))).toMatchObject({ properties: { count: { type: 'string' } } });
  });

  it('is refused where something would be lost', () => {
    for (const rule of ['readable', 'writable']) {
      const lost = `A rule '${rule}' is lost where zod gives its JSON Schema: mark the property as hidden or readOnly, or describe the record with Type.Object and Field`;
      const record = z.object({ items: z.array(z.object({ pay: z.number().meta({ [rule]: () => false }) })) });
      expect(messageOf(record)).toBe(lost);
      expect(() => serviceSchema({ record })).toThrow(new Error(lost));
    }
    expect(messageOf(z.object({ a: z.string().transform(Number) }))).toBe(
      'A transform can not be seen through: leave it out of the record, and use a resolver',
    );
  });

  it.each<[string, unknown]>([
    ['A check by a function (refine, superRefine, check)', z.object({ a: z.string().refine((value) => value !== 'bad') })],
    ['A check by a function (refine, superRefine, check)', z.object({ a: z.array(z.string().superRefine(() => undefined)) })],
    ['A check by a function (refine, superRefine, check)', z.object({ a: z.string(), b: z.string() }).refine(({ a, b }) => a === b)],
    ['A check by a function (refine, superRefine, check)', z.object({ a: z.string().refine(Boolean).pipe(z.string()) })],
    ['A change of a text (trim, toLowerCase, normalize, overwrite)', z.object({ a: z.email().trim().toLowerCase() })],
    [FLAG, z.object({ a: z.string().regex(/^good/i) })],
    [
      FLAG,
      z.object({
        a: z.array(
          z
            .string()
            .min(2)
            .regex(/^g/)
            .regex(/^good$/m),
        ),
      }),
    ],
    [FLAG, z.object({ a: z.email({ pattern: /^[a-z]+@example\.com$/i }) })],
    [FLAG, z.object({ a: z.record(z.string().regex(/^good/s), z.number()) })],
    [FLAG, z.object({ a: z.string().regex(/good/y) })],
    [FLAG, type({ a: /^good/i })],
    [FLAG, type({ a: type(/^good/i).array(), 'b?': [type(/^good/s), 'null'] })],
    [FLAG, scope({ tree: { a: /^good/i, 'parts?': 'tree[]' } }).export().tree],
    ['A check of a property of a value', z.object({ a: z.string().check(z.property('length', z.number())) })],
    ['A bound of a date (min, max)', z.object({ a: z.date().min(new Date(0)).nullable() })],
    ['A protocol or hostname of an address', z.object({ a: z.url({ protocol: /^https$/ }) })],
    ['A file', z.object({ a: z.file().optional() })],
    ['A check by a function (custom, instanceof)', z.object({ a: z.custom<string>((value) => value === 'good') })],
    ['A check by a function (custom, instanceof)', z.object({ a: z.instanceof(URL).nullable() })],
    ['A check by a function (custom, instanceof)', z.object({ a: z.instanceof(URL).meta({ hidden: true, title: 'An address' }) })],
    ['A change of a value before it is checked (preprocess)', z.object({ a: z.preprocess(String, z.string()) })],
    ['A change of a value by functions (codec, stringbool)', z.object({ a: z.array(z.stringbool()) })],
    ['A default that is checked (prefault)', z.object({ a: z.string().prefault('x') })],
    ['A value in place of a wrong one (catch)', z.object({ a: z.string().catch('x').optional() })],
    ['A bigint', z.object({ a: z.bigint().min(3n).optional() })],
    ['A symbol', z.object({ a: z.union([z.string(), z.symbol()]) })],
    ['A function', z.object({ a: z.function() })],
    ['A Map', z.object({ a: z.map(z.string(), z.number()) })],
    ['A Set', z.object({ a: z.set(z.number()) })],
    ['A check by a function (narrow)', type({ a: type('string').narrow((value) => value !== 'bad') })],
    [ARKTYPE_CHANGE, type({ a: type('string').pipe((value) => value.length) })],
    [ARKTYPE_CHANGE, type({ a: { b: 'string.trim' } })],
    [ARKTYPE_CHANGE, type({ a: 'string.date.parse | null' })],
    [ARKTYPE_CHANGE, type({ a: "string = 'x'" })],
    [ARKTYPE_CHANGE, type({ a: { b: 'string', '+': 'delete' } })],
    [ARKTYPE_CHANGE, type({ a: ['string[]', '=', () => []] })],
    ['A list with elements behind those of any number', type({ a: ['...', 'string[]', 'number'] })],
    [OF_JAVASCRIPT, type({ a: type.instanceOf(URL) })],
    [OF_JAVASCRIPT, type({ a: 'string | bigint' })],
    [OF_JAVASCRIPT, type({ a: ['Map', '[]'] })],
    [OF_JAVASCRIPT, type({ a: "'text' | 5n" })],
    [OF_JAVASCRIPT, type({ a: 'string', '[symbol]': 'number' })],
    ['A bound of a date (min, max)', type({ a: "Date > d'2020-01-01'" })],
  ])('is refused where data would not be checked as the library says: %s', (what, record) => {
    const refusal = `${what} can not be seen through, and would hold for nothing: leave it out of the record, and put it into a hook, a resolver, or the schemas of the option 'data'`;
    expect(messageOf(record)).toBe(refusal);
    expect(() => serviceSchema({ record: record as z.ZodType })).toThrow(new Error(refusal));
    // Data have schemas of their own, and this one describes what is sent.
    const data = z.object({ a: z.string().refine((value) => value !== 'bad') });
    expect(() => serviceSchema({ record: record as z.ZodType, data, patch: data.partial() })).not.toThrow();
  });

  it('has what JSON Schema says of a text, a number and a list', () => {
    const record = z.object({
      text: z.string().min(1).max(5).regex(/a/).startsWith('b').endsWith('c'),
      mail: z.email().endsWith('@example.com'),
      count: z.int().positive().multipleOf(2),
      list: z.array(z.string()).min(1).max(3),
      address: z.url(),
    });
    expect(messageOf(record)).toBe('nothing was thrown');
    expect(() => serviceSchema({ record })).not.toThrow();
  });

  it('has no pattern whose flags are lost, where others check data', async () => {
    const zodRecord = z.object({ id: z.number(), a: z.string().regex(/^g/).regex(/^good/i), b: z.string().regex(/^g/gu) });
    const own = { data: z.object({ a: z.string() }), patch: z.object({}) };
    for (const record of [zodRecord, type({ id: 'number', a: /^good/i, b: /^g/u })]) {
      const { b } = jsonSchemaOf(record, false).properties ?? {};
      expect(b).toMatchObject({ pattern: '^g' });
      const checks = new RecordChecks({ record, ...own, extensions: {} });
      expect(await checks.query({ provider: 'rest' })({ a: 'Good', b: 'g' })).toEqual({ a: 'Good', b: 'g' });
      await expect(checks.query({ provider: 'rest' })({ b: 'G' })).rejects.toMatchObject({ code: 400 });
    }
    expect(() => serviceSchema({ record: z.object({ b: z.string().regex(/^g/gu) }) })).not.toThrow();
    expect(() => serviceSchema({ record: type({ b: /^g/u }) })).not.toThrow();
  });

  it('takes no value for one that may be left out alone', () => {
    const nothing = { anyOf: [{ type: 'string' }, { not: {} }] };
    const record = z.object({ a: z.union([z.string(), z.undefined()]), b: z.string().or(z.void()), c: z.string().or(z.nan()) });
    expect(jsonSchemaOf(record)).toMatchObject({ properties: { a: nothing, b: nothing, c: nothing } });
    expect(jsonSchemaOf(type({ a: 'string | undefined', b: 'string | number.NaN' }))).toMatchObject({
      properties: { a: nothing, b: nothing },
    });
  });

  it('of arktype says as much as there is where others check data', () => {
    const record = type({
      at: "Date > d'2020-01-01'",
      name: type('string').narrow((value) => value !== 'bad'),
      size: type.instanceOf(URL),
      text: "string = 'x'",
    });
    expect(jsonSchemaOf(record, false)).toMatchObject({
      properties: { at: { date: true }, name: { type: 'string' }, size: {}, text: { type: 'string' } },
    });
  });

  it('of zod is what its own description of a value says', () => {
    const record = z.object({
      id: z.instanceof(URL).meta({ objectid: true }),
      size: z.bigint().meta({ type: 'integer', title: 'In bytes' }),
      ids: z.set(z.string()).meta({ type: 'array', uniqueItems: true }),
    });
    expect(jsonSchemaOf(record)).toMatchObject({
      properties: { id: { objectid: true }, size: { type: 'integer' }, ids: { type: 'array', uniqueItems: true } },
    });
  });

  it('of arktype has its dates', async () => {
    const record = type({ at: 'Date', 'until?': 'Date | null', name: 'string > 1' });
    expect(jsonSchemaOf(record)).toMatchObject({
      properties: {
        at: { date: true },
        until: { anyOf: expect.arrayContaining([{ date: true }, { type: 'null' }]) },
        name: { minLength: 2 },
      },
    });
    const checks = new RecordChecks({ record, extensions: {} });
    expect(await checks.validate({ at: '2020-01-01', name: 'ab' }, 'create', { provider: 'rest' })).toEqual({
      at: new Date('2020-01-01'),
      name: 'ab',
    });
  });

  it.each<[string, (marked: z.ZodType) => z.ZodType]>([
    ['pipe', (marked) => marked.pipe(z.any())],
    ['pipe', (marked) => z.codec(marked, z.any(), { decode: (value) => value, encode: (value) => value })],
    ['pipe', (marked) => z.object({ inner: marked }).pipe(z.any()).optional()],
    ['map', (marked) => z.map(z.string(), marked)],
    ['map', (marked) => z.map(marked, z.string())],
    ['set', (marked) => z.array(z.set(z.object({ inner: marked })))],
    ['map', (marked) => z.map(z.string(), z.object({ list: z.set(marked).nullable() }))],
  ])('is refused where a mark would be lost in a %s', (kind, around) => {
    const refusal = `has a mark (hidden, readOnly, writeOnly, a rule or a reference) below '${kind}', where it can not be seen through: put it on the property itself`;
    const data = z.object({});
    const create = (marked: z.ZodType) => () => serviceSchema({ record: z.object({ a: around(marked) }), data, patch: data });
    for (const mark of ['hidden', 'readOnly', 'writeOnly']) expect(create(z.string().meta({ [mark]: true }))).toThrow(refusal);
    expect(create(z.string())).not.toThrow();
    expect(Object.keys(jsonSchemaOf(around(z.string()), false))).not.toContain(kind);
    const whole = serviceSchema({ record: z.object({ a: around(z.string()).meta({ hidden: true }) }), data, patch: data });
    expect(whole.shape.unseenBy({ params: {} })).toEqual(['a']);
  });

  it('has the marks of what a pipe leads to', () => {
    const out = z.string().meta({ hidden: true });
    const record = z.object({ a: z.string().pipe(out), b: z.preprocess((value) => value, out) });
    expect(jsonSchemaOf(record, false)).toMatchObject({ properties: { a: { hidden: true }, b: { hidden: true } } });
  });

  it('may contain itself in a set', () => {
    const tree: z.ZodType = z.object({
      name: z.string(),
      get parts() {
        return z.set(tree);
      },
    });
    expect(jsonSchemaOf(tree, false)).toMatchObject({ properties: { name: { type: 'string' } } });
  });

  it('is refused where there is none', () => {
    const none =
      'A schema of other gives no JSON Schema by itself, so that its record can not be seen through: convert it first (valibot: toStandardJsonSchema of @valibot/to-json-schema), or describe the record with Type.Object and keep this schema as data';
    expect(messageOf(library({}))).toBe(none);
    expect(messageOf(library({}, { toJsonSchema: 'text' }))).toBe(none);
    expect(messageOf(library({ jsonSchema: { output: () => true } }))).toBe(none);
    for (const schema of [undefined, null, 'text', [], () => undefined])
      expect(messageOf(schema)).toBe(
        'A record is described by a schema of an object: TypeBox, JSON Schema, or a library that gives its JSON Schema',
      );
  });
});

describe('the JSON Schema of data', () => {
  it('is not known where a library does not give it', () => {
    const failing = (): never => {
      throw new Error('not this one');
    };
    for (const schema of [library({}), library({ jsonSchema: { input: failing } }), library({ jsonSchema: { input: () => false } })])
      expect(inputSchemaOf(schema as never)).toBeUndefined();
    const schema = { type: 'object' };
    expect(inputSchemaOf(schema)).toBe(schema);
  });
});

function methodOf(name: string) {
  return function (this: Readonly<Record<string, unknown>>): unknown {
    return this[name];
  };
}

import { describe, expect, it } from '@jest/globals';
import {
  getValidator,
  Hidden,
  Nullable,
  queryProperties,
  queryProperty,
  querySyntax,
  serviceSchema,
  Type,
  type JSONSchema,
} from '../../src/index.ts';
import { querySchemaOf } from '../../src/query/query-schema.ts';
import { RecordShape } from '../../src/record-shape/record-shape.ts';

const text: JSONSchema = { type: 'string' };
const list = (items: JSONSchema): JSONSchema => ({ type: 'array', items });
const operators = (value: JSONSchema, more: object = {}): JSONSchema => ({
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { $gt: value, $gte: value, $lt: value, $lte: value, $ne: value, $in: list(value), $nin: list(value), ...more },
});
/** Of what is never an object. */
const condition = (value: JSONSchema, more: object = {}): JSONSchema => ({
  if: { type: 'object' },
  then: operators(value, more),
  else: value,
});
/** Of what may be one. */
const open = (value: JSONSchema): JSONSchema => ({ anyOf: [value, operators(value)] });
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));

describe('the condition on one property', () => {
  it.each<[string, JSONSchema, JSONSchema]>([
    ['text', text, condition(text)],
    ['several types', { type: ['string', 'null'] }, condition({ type: ['string', 'null'] })],
    ['a default', { type: 'string', default: 'x' }, condition(text)],
    ['values', { enum: ['a', 1, null] }, condition({ enum: ['a', 1, null] })],
    ['one value', { const: 'a' }, condition({ const: 'a' })],
    ['values and a value', { enum: ['a'], const: 'a' }, condition({ enum: ['a'], const: 'a' })],
    ['a union', { anyOf: [text, { type: 'null' }] }, condition({ anyOf: [text, { type: 'null' }] })],
    ['a list of one type', list(text), condition({ anyOf: [text, list(text)] })],
    ['a list of objects', list({ type: 'object' }), open({ anyOf: [{ type: 'object' }, list({ type: 'object' })] })],
    ['a list of anything', { type: 'array' }, condition({ type: 'array' })],
    ['a list whose elements are described by a boolean', { type: 'array', items: true }, condition({ type: 'array', items: true })],
    ['a tuple', { type: 'array', items: [text] }, condition({ anyOf: [text, { type: 'array', items: [text] }] })],
    [
      'a tuple that goes on',
      { type: 'array', prefixItems: [text], items: { type: 'null' } },
      condition({ anyOf: [text, { type: 'null' }, { type: 'array', prefixItems: [text], items: { type: 'null' } }] }),
    ],
    ['elements of what is not said to be a list', { items: text }, open({ items: text })],
    [
      'a list or text',
      { type: ['array', 'string'], items: text },
      condition({ anyOf: [text, { type: ['array', 'string'], items: text }] }),
    ],
    [
      'a list or nothing',
      { anyOf: [list(text), { type: 'null' }] },
      condition({ anyOf: [text, { anyOf: [list(text), { type: 'null' }] }] }),
    ],
    ['an object', { type: 'object' }, open({ type: 'object' })],
    ['an object or null', { type: ['object', 'null'] }, open({ type: ['object', 'null'] })],
    ['anything', {}, open({})],
    ['no types', { type: [] }, open({ type: [] })],
    ['a union with an object', { anyOf: [text, { type: 'object' }] }, open({ anyOf: [text, { type: 'object' }] })],
    ['values with an object', { enum: ['a', {}] }, open({ enum: ['a', {}] })],
    ['an object as the value', { const: { a: 1 } }, open({ const: { a: 1 } })],
    ['text by one of several', { type: 'string', oneOf: [{}] }, open({ type: 'string', oneOf: [{}] })],
    ['text by all of several', { type: 'string', allOf: [{}] }, open({ type: 'string', allOf: [{}] })],
  ])('%s', (_name, schema, expected) => {
    expect(queryProperty(schema)).toEqual(expected);
    expect(queryProperties({ a: schema, b: text })).toEqual({ a: expected, b: condition(text) });
  });

  it('takes further operators', () => {
    expect(queryProperty(text, { $regex: text })).toEqual(condition(text, { $regex: text }));
    expect(queryProperties({ a: text, b: text }, { b: { $regex: text } })).toEqual({
      a: condition(text),
      b: condition(text, { $regex: text }),
    });
  });
});

describe('querySyntax', () => {
  const filters = (names: readonly string[], select: readonly string[] = names): Record<string, JSONSchema> => ({
    $limit: { type: 'integer', minimum: 0 },
    $skip: { type: 'integer', minimum: 0 },
    $after: text,
    $before: text,
    $sort: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', enum: [1, -1] }])),
    },
    $select: { type: 'array', maxItems: select.length, items: { type: 'string', ...(select.length > 0 ? { enum: select } : {}) } },
  });
  const whole = (conditions: Record<string, JSONSchema>, more: Record<string, JSONSchema>, additionalProperties = false): JSONSchema => {
    const base = { type: 'object', properties: conditions, additionalProperties };
    const innermost = { ...base, properties: { ...conditions, $or: list(base), $and: list(base) } };
    return { ...base, properties: { ...conditions, $or: list(innermost), $and: list(innermost), ...more } };
  };

  it.each([{ hidden: 'false' }, { additionalProperties: 0 }])('takes no %j, which would open properties', (options) => {
    const [name] = Object.keys(options);
    expect(() => querySyntax(Type.Object({ a: Type.String() }), {}, options as never)).toThrow(
      `The option '${String(name)}' of querySyntax() is true or false`,
    );
  });

  it('keeps what the record hides from being asked for, also where properties may be asked for that it does not have', async () => {
    const profile = Type.Object({ city: Type.String(), token: Hidden(Type.String()) });
    const record = Type.Object({ a: Type.String(), b: Hidden(Type.String()), profile });
    const validate = getValidator(querySyntax(record, {}, { additionalProperties: true }));
    const allowed = { a: 'x', other: 'y', $or: [{ other: { $gt: 'z' } }] };
    expect(await validate(allowed)).toEqual(allowed);
    for (const query of [
      { b: 'x' },
      { b: { $gt: 'x' } },
      { $or: [{ $and: [{ b: 'x' }] }] },
      { profile: { token: 'x' } },
      { $sort: { b: 1 } },
      { $select: ['b'] },
    ])
      await expect(validate(query)).rejects.toMatchObject({ code: 400 });
  });

  it('lets code on the server sort by, and select, whatever it may query', async () => {
    const validate = getValidator(querySyntax(Type.Object({ a: Type.String() }), {}, { additionalProperties: true, hidden: true }));
    expect(await validate({ b: 'x', $sort: { b: '-1', 'a.c': 1 }, $select: 'b' })).toEqual({
      b: 'x',
      $sort: { b: -1, 'a.c': 1 },
      $select: ['b'],
    });
    await expect(validate({ $sort: { b: 2 } })).rejects.toMatchObject({ code: 400 });
  });

  it.each([
    [{ b: { $regex: {} } }, "The extensions of a query schema are for 'b', and the record has no such property. It has a, hidden"],
    [{ a: { regex: {} } }, "The extensions of 'a' in a query schema have 'regex': operators and filters begin with a $, as '$regex' does"],
    [
      { $root: { search: {} } },
      "The extensions of '$root' in a query schema have 'search': operators and filters begin with a $, as '$search' does",
    ],
  ])('takes no extensions that no query would have: %j', (extensions, message) => {
    const record = Type.Object({ a: Type.String(), hidden: Hidden(Type.String()) });
    expect(() => querySyntax(record, extensions)).toThrow(new TypeError(message));
    expect(() => serviceSchema({ record, extensions })).toThrow(new TypeError(message));
    expect(() => serviceSchema({ record, extensions: { hidden: { $regex: {} } } })).not.toThrow();
  });

  it('makes the schema of queries of a record', () => {
    expect(plain(querySyntax(Type.Object({ a: Type.String(), b: Hidden(Type.String()) })))).toEqual(
      whole({ a: condition(text) }, filters(['a'])),
    );
    expect(plain(querySyntax({ type: 'object' } as JSONSchema))).toEqual(whole({}, filters([])));
  });

  it('takes what the options and extensions add', () => {
    const record = Type.Object({ a: Type.String(), b: Hidden(Type.String()) });
    const extensions = { a: { $regex: text }, $root: { $search: text } };
    const schema = plain(querySyntax(record, extensions, { additionalProperties: true, hidden: true }));
    const conditions = { a: condition(text, { $regex: text }), b: condition({ ...text, hidden: true }) };
    const { $sort, ...others } = filters(['a', 'b']);
    const open = { $sort: { ...$sort, additionalProperties: { type: 'integer', enum: [1, -1] } }, $select: list(text) };
    expect(schema).toEqual(whole(conditions, { ...others, ...open, $search: text }, true));
  });

  it.each<[string, JSONSchema]>([
    ['a type', { type: 'object', properties: { a: text } }],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { a: text } } } }],
    ...['allOf', 'anyOf', 'oneOf'].map((keyword): [string, JSONSchema] => [keyword, { [keyword]: [{ properties: { a: text } }] }]),
  ])('knows a record by %s', async (_name, record) => {
    const validate = getValidator(querySyntax(record));
    expect(await validate({ a: 'x', $limit: '1' })).toEqual({ a: 'x', $limit: 1 });
    await expect(validate({ b: 1 })).rejects.toMatchObject({ errors: [{ path: 'b', keyword: 'additionalProperties' }] });
  });

  it('takes properties alone, which may be called as such keywords', () => {
    const properties = querySyntax({ type: text, $ref: text, allOf: text });
    expect(Object.keys(properties)).toEqual([
      'type',
      '$ref',
      'allOf',
      '$or',
      '$and',
      '$limit',
      '$skip',
      '$after',
      '$before',
      '$sort',
      '$select',
    ]);
    expect(plain(properties)).toMatchObject({ type: condition(text), $ref: condition(text), allOf: condition(text) });
    expect(() => getValidator(properties as never)).toThrow('gives the properties of a query and no schema');
    expect(Object.keys(querySyntax({}))).toEqual(['$or', '$and', '$limit', '$skip', '$after', '$before', '$sort', '$select']);
  });

  it('converts what is asked for as a whole: objects, and records of them', async () => {
    const record = Type.Object({
      place: Type.Object({ level: Type.Integer(), open: Type.Boolean() }),
      counts: Type.Record(Type.String(), Type.Integer()),
      lines: Type.Array(Type.Object({ amount: Type.Number() })),
    });
    const asked = {
      place: { level: '1', open: 'true' },
      counts: { a: '2' },
      lines: { amount: '2.5' },
      $or: [{ counts: { $ne: { a: '3' } } }],
    };
    await expect(getValidator(querySyntax(record))(asked)).resolves.toEqual({
      ...{ place: { level: 1, open: true }, counts: { a: 2 }, lines: { amount: 2.5 } },
      $or: [{ counts: { $ne: { a: 3 } } }],
    });
  });

  it.each<[string, JSONSchema]>([
    ['alternatives', Nullable(Type.Array(Type.Integer()))],
    ['one of several', { oneOf: [{ type: 'null' }, list({ type: 'integer' })] }],
    ['all of several', { allOf: [list({ type: 'integer' }), { minItems: 1 }] }],
    ['types', { type: ['null', 'array'], items: { type: 'integer' } }],
    ['a reference', { $ref: '#/$defs/numbers' }],
    ['positions', { type: 'array', items: [{ type: 'integer' }], additionalItems: { type: 'integer' } }],
  ])('asks lists for their elements that are lists by %s', async (_name, numbers) => {
    const record: JSONSchema = {
      type: 'object',
      properties: { a: { type: 'object', properties: { numbers } } },
      $defs: { numbers: list({ type: 'integer' }) },
    };
    const asked = { 'a.numbers': 3, $or: [{ 'a.numbers': { $in: [3, 4], $ne: 5 } }, { 'a.numbers': [3, 4] }] };
    const texts = { 'a.numbers': '3', $or: [{ 'a.numbers': { $in: ['3', '4'], $ne: '5' } }, { 'a.numbers': ['3', '4'] }] };
    const validate = getValidator(querySyntax(record));
    expect(await Promise.all([asked, texts].map(validate))).toEqual([asked, asked]);
    await expect(validate({ 'a.numbers': 'x' })).rejects.toMatchObject({ code: 400 });
  });

  it('takes an empty text for null, and for no list of one', async () => {
    const validate = getValidator(querySyntax(Type.Object({ a: Nullable(Type.Array(Type.Integer())) })));
    expect(await validate({ a: '', $or: [{ a: { $in: ['', '1'] } }] })).toEqual({ a: null, $or: [{ a: { $in: [null, 1] } }] });
  });

  it('brings what the record refers to', () => {
    const schema = querySyntax({
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: text },
    } as JSONSchema) as JSONSchema;
    expect(schema.$defs).toEqual({ part0: text });
    expect(schema.properties?.a).toEqual(open({ allOf: [{ $ref: '#/$defs/part0' }] }));
    expect(querySyntax({ type: 'object', properties: { a: text } } as JSONSchema)).not.toHaveProperty('$defs');
  });
});

describe('the query schema of a service', () => {
  const long: JSONSchema = { type: 'string', enum: Array.from({ length: 20 }, (_, at) => `value ${String(at)}`) };
  const schemaOf = (document: boolean): JSONSchema =>
    querySchemaOf(new RecordShape({ type: 'object', properties: { a: long, b: text } }), {}, {}, document);

  it('says what is long once, and means the same', async () => {
    const document = schemaOf(true);
    const shared = { $ref: '#/$defs/shared0' };
    expect(document.properties?.a).toEqual(condition(shared));
    expect(document.properties?.b).toEqual(condition(text));
    expect(Object.keys(document.$defs ?? {})).toEqual(['shared0', 'shared1', 'shared2']);
    expect(document.$defs).toMatchObject({ shared0: long, shared1: { properties: { a: condition(shared), b: condition(text) } } });
    expect(document.properties?.$or).toEqual(list({ $ref: '#/$defs/shared2' }));
    expect(document.properties?.$and).toEqual(list({ $ref: '#/$defs/shared2' }));
    expect(schemaOf(false)).not.toHaveProperty('$defs');
    const verdicts = async (schema: JSONSchema): Promise<unknown[]> => {
      const validate = getValidator(schema);
      const queries = [
        { a: 'value 3' },
        { a: 'x' },
        { a: { $in: ['value 1'] } },
        { a: { $in: ['x'] } },
        { $or: [{ $and: [{ a: 'x' }] }] },
        { $or: [{ $or: [{ $or: [] }] }] },
      ];
      return Promise.all(
        queries.map((query) =>
          validate(query).catch((error: unknown) => (error as { errors: { path: string }[] }).errors.map(({ path }) => path)),
        ),
      );
    };
    expect(await verdicts(document)).toEqual(await verdicts(schemaOf(false)));
    expect(await verdicts(document)).toEqual([
      { a: 'value 3' },
      ['a'],
      { a: { $in: ['value 1'] } },
      ['a.$in.0'],
      ['$or.0.$and.0.a'],
      ['$or.0.$or.0.$or'],
    ]);
  });
});

describe('what is asked for of objects with defaults', () => {
  const place: JSONSchema = {
    type: 'object',
    properties: { city: text, country: { type: 'string', default: 'CH' } },
    required: ['city'],
  };
  const long: JSONSchema = { ...place, description: 'Where it is. '.repeat(20) };

  it.each<[string, JSONSchema]>([
    ['by a reference', { properties: { place: { $ref: '#/$defs/place' } }, $defs: { place } }],
    ['in a list, by a reference', { properties: { place: { type: 'array', items: { $ref: '#/$defs/place' } } }, $defs: { place } }],
    ['by a schema that is said once', { properties: { place: long } }],
    ['in a list of long ones', { properties: { place: { type: 'array', items: long } } }],
    ['as they are', { properties: { place } }],
  ])('is what a caller asks for, and nothing is filled in: %s', async (_what, record) => {
    const validate = getValidator(querySchemaOf(new RecordShape({ type: 'object', ...record }), {}, {}, true));
    for (const asked of [{ $ne: { city: 'Bern' } }, { $in: [{ city: 'Bern' }] }, { city: 'Bern' }])
      expect(await validate({ place: structuredClone(asked) })).toEqual({ place: asked });
  });
});

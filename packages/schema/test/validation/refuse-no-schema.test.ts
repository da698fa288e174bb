import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { getDataValidator, getValidator, schema, serviceSchema, Type, type JSONSchema, type TSchema } from '../../src/index.ts';

const text = Type.Object({ a: Type.String() });
const none: [kind: string, given: unknown, told: string][] = [
  ['schemas by method', { create: text, patch: Type.Partial(text) }, "an object with 'create', 'patch'"],
  [
    'schemas of zod by method',
    { create: z.object({}), update: z.object({}), patch: z.object({}) },
    "an object with 'create', 'update', 'patch'",
  ],
  ['properties by their name', { a: Type.String() }, "an object with 'a'"],
  ['properties of which one has the name of a keyword', { title: 'text', a: Type.String(), b: z.string() }, "an object with 'a', 'b'"],
  ['a validator', getValidator(text), 'a function'],
  ['validators by method', getDataValidator(text), "an object with 'create', 'update', 'patch'"],
  ['a schema with its validator', schema(text), 'an instance of a class'],
  ['the schema of a service', serviceSchema({ record: text }), "an object with 'record', 'shape', 'rules'"],
  ['a list', [text], 'a list'],
  ['a text', 'a', 'a string'],
  ['nothing', null, 'null'],
];
const takes = (told: string, besides = ''): string =>
  `takes a schema, and not ${told}, which would check nothing: give TypeBox such as Type.Object({ … }), JSON Schema, or a schema of another library${besides}`;
const messageOf = (make: () => unknown): string => {
  try {
    make();
    return 'nothing was thrown';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('what is no schema', () => {
  it.each(none)('is refused as data of a service, and lets nothing pass: %s', (_kind, given, told) => {
    const record = Type.Object({ id: Type.Integer(), a: Type.String() });
    const make = (option: object) => messageOf(() => serviceSchema({ record, ...option }));
    expect(make({ data: given })).toBe(`The option 'data' of serviceSchema() ${takes(told, ", and that of patch as the option 'patch'")}`);
    expect(make({ patch: given })).toBe(`The option 'patch' of serviceSchema() ${takes(told)}`);
  });

  it.each(none)('is refused where a validator is made: %s', (_kind, given, told) => {
    expect(messageOf(() => getValidator(given as JSONSchema))).toBe(`A validator ${takes(told)}`);
    expect(messageOf(() => getDataValidator({ create: text, update: given ?? [], patch: text } as never))).toBe(
      `A validator ${takes(given === null ? 'a list' : told)}`,
    );
  });

  it('is refused as a record, and told by what it has', () => {
    const record = { id: Type.Integer(), name: Type.String() } as unknown as JSONSchema;
    expect(messageOf(() => serviceSchema({ record }))).toBe(`The option 'record' of serviceSchema() ${takes("an object with 'name'")}`);
    expect(messageOf(() => getDataValidator({ update: text, patch: text } as never))).toBe(
      `A validator ${takes("an object with 'update', 'patch'")}`,
    );
  });

  it('is refused for a method that takes none: a change would be held against that of another', () => {
    expect(messageOf(() => getDataValidator({ create: text, ptach: text } as never))).toBe(
      "getDataValidator() has no option 'ptach'. Did you mean 'patch'? It has create, update, patch",
    );
  });
});

describe('a schema', () => {
  it('may say nothing, have words of its own beside those of JSON Schema, and those of its validator alone', async () => {
    const own = new Ajv().addKeyword({ keyword: 'even', validate: (_even: boolean, value: number) => value % 2 === 0 });
    const plain = Object.assign(Object.create(null) as JSONSchema, { type: 'integer', 'x-note': { type: 'text' } });
    for (const given of [
      {},
      Type.Unknown(),
      { description: 'a number' },
      { hidden: true },
      { dependentRequired: {} },
      { notKnown: undefined },
      plain,
    ])
      expect(await getValidator(given)(5)).toBe(5);
    await expect(getValidator({ even: true }, own)(5)).rejects.toMatchObject({ code: 400 });
  });
});

describe('a schema that was not there', () => {
  // As in modules that import each other.
  const missing = undefined as unknown as TSchema;
  const schemas: readonly (readonly [string, TSchema])[] = [
    ['a property that may be left out', Type.Object({ place: Type.Optional(missing) })],
    ['a property that is not sent', Type.Object({ place: Type.Readonly(missing) })],
    ['properties of which each may be left out', Type.Partial(Type.Object({ place: missing }))],
    ['the elements of a list', Type.Object({ places: Type.Array(missing) })],
    ['the elements of a list further inside', Type.Object({ at: Type.Union([Type.Null(), Type.Object({ places: Type.Array(missing) })]) })],
  ];

  it.each(schemas)('is refused at start: %s', (_where, schema) => {
    const message = /has TypeBox around what is no schema.*Do two modules import each other\? Move what both need into a third$/;
    expect(() => getValidator(schema)).toThrow(message);
    expect(() => serviceSchema({ record: schema })).toThrow(message);
    expect(() => serviceSchema({ record: Type.Object({ place: Type.Any() }), data: schema })).toThrow(message);
  });

  it('is not what takes any value', async () => {
    const record = Type.Object({
      any: Type.Optional(Type.Any()),
      list: Type.Array(Type.Unknown()),
      unsafe: Type.Optional(Type.Unsafe({})),
    });
    expect(await getValidator(record)({ any: 5, list: [1, 'a'] })).toEqual({ any: 5, list: [1, 'a'] });
    expect(() => serviceSchema({ record })).not.toThrow();
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  coerce,
  Default,
  Field,
  getDataValidator,
  Hidden,
  Nullable,
  queryProperties,
  queryProperty,
  querySyntax,
  ReadOnly,
  Reference,
  resolve,
  resolveAll,
  resolveData,
  resolveExternal,
  resolveQuery,
  resolveResult,
  serviceSchema,
  StringEnum,
  Type,
  virtual,
  WriteOnly,
} from '../src/index.ts';

const resolvers = 'takes a resolver, as resolve({ … }) makes it';
const record = Type.Object({ name: Type.String() });

const takers: readonly (readonly [string, (given: never) => unknown])[] = [
  ['querySyntax() takes the schema of a record, or its properties', (given) => querySyntax(given)],
  ["'name' of the record is described by a schema", (given) => querySyntax({ name: given })],
  [
    "'at.name' of the record is described by a schema",
    (given) => serviceSchema({ record: Type.Object({ at: Type.Object({ name: given }) }) }),
  ],
  ['queryProperty() takes the schema of a property', (given) => queryProperty(given)],
  ['queryProperties() takes schemas by property', (given) => queryProperties(given)],
  ['queryProperty() takes the schema of a property', (given) => queryProperties({ name: given })],
  ['getDataValidator() takes a schema, or schemas by method', (given) => getDataValidator(given)],
  ['Nullable() takes the schema of a value', (given) => Nullable(given)],
  ['Default() takes the schema of a value', (given) => Default(given, 'a' as never)],
  ['Hidden() takes the schema of a value', (given) => Hidden(given)],
  ['WriteOnly() takes the schema of a value', (given) => WriteOnly(given)],
  ['ReadOnly() takes the schema of a value', (given) => ReadOnly(given)],
  ['Field() takes the schema of a value', (given) => Field(given, { readable: () => true })],
  ['Field() takes rules such as { readable: (params) => … } beside the schema', (given) => Field(Type.String(), given)],
  ["Reference() takes { as: 'author' } beside the path of the other service", (given) => Reference('users', given)],
  ["The option 'id' of Reference() takes the schema of an id", (given) => Reference('users', { as: 'author', id: given })],
  ['coerce() takes the schema of the value', (given) => coerce(given, 'a')],
  ['resolve() takes an object of resolvers by property', (given) => resolve(given)],
  ["The option 'properties' of resolve() takes an object of resolvers by property", (given) => resolve({ properties: given })],
  [`resolveData() ${resolvers}`, (given) => resolveData(resolve({}), given)],
  [`resolveQuery() ${resolvers}`, (given) => resolveQuery(given)],
  [`resolveResult() ${resolvers}`, (given) => resolveResult(given)],
  [`resolveExternal() ${resolvers}`, (given) => resolveExternal(given)],
  [`resolveAll() for 'dispatch' ${resolvers}`, (given) => resolveAll({ dispatch: given })],
  [`resolveAll() for 'data.create' ${resolvers}`, (given) => resolveAll({ data: { create: given } })],
  [
    `The option 'resolvers' of serviceSchema() for 'dispatch' ${resolvers}`,
    (given) => serviceSchema({ record, resolvers: { dispatch: given } }),
  ],
];

describe('what is not there, as in modules that import each other,', () => {
  it.each(takers)('is refused at start: %s', (sentence, take) => {
    const loading = '. Do two modules import each other? Move what both need into a third';
    expect(() => take(undefined as never)).toThrow(new TypeError(`${sentence}, and not undefined${loading}`));
    expect(() => take(null as never)).toThrow(new TypeError(`${sentence}, and not null`));
    expect(() => take('name' as never)).toThrow(new TypeError(`${sentence}, and not a string`));
  });

  it('is refused as the texts of an enumeration', () => {
    const takes = 'StringEnum() takes a list of texts';
    expect(() => StringEnum(undefined as never)).toThrow(new TypeError(`${takes}, and not undefined`));
    // Each letter would be one of the texts.
    expect(() => StringEnum('abc' as never)).toThrow(new TypeError(`${takes}, and not a string`));
    expect(() => StringEnum([])).toThrow(new TypeError(`${takes}, and not an empty one`));
    expect(() => StringEnum(['a', 5 as never])).toThrow(new TypeError(`${takes}, and not one with a number`));
  });

  it('is refused as the schema of create', () => {
    for (const schemas of [{ create: undefined }, { create: undefined, patch: record }])
      expect(() => getDataValidator(schemas as never)).toThrow(/^getDataValidator\(\) takes for 'create' a schema, and not undefined/);
  });

  it('is refused where resolvers stand without resolve() around them', () => {
    const message = `resolveExternal() takes a resolver, and not an object without 'resolve': write resolve({ … }) around it`;
    expect(() => resolveExternal({ password: async () => undefined } as never)).toThrow(new TypeError(message));
  });
});

describe('what does nothing', () => {
  it.each<[string, () => unknown]>([
    ['resolveData()', () => resolveData()],
    ['resolveQuery()', () => resolveQuery()],
    ['resolveResult()', () => resolveResult()],
    ['resolveExternal()', () => resolveExternal()],
    ['resolveAll()', () => resolveAll({})],
    ['resolveAll()', () => resolveAll({ data: {} })],
  ])('is refused at start: %s without a resolver', (hook, make) => {
    expect(make).toThrow(new TypeError(`${hook} takes at least one resolver, as resolve({ … }) makes it, and got none`));
  });

  it('is refused at start: Field() without a rule', () => {
    const message = 'Field() got no rule, so that everybody would see and set the value: write readable or writable: (params) => …';
    for (const rules of [{}, { readable: undefined }] as object[])
      expect(() => Field(Type.String(), rules)).toThrow(new TypeError(message));
  });

  it.each([undefined, null, 'name', {}])('is refused at start: virtual() of %p', (given) => {
    expect(() => virtual(given as never)).toThrow(new TypeError('virtual() takes a function that gives the value, (record, context) => …'));
  });
});

it('resolvers and schemas that are there are taken', () => {
  const resolver = resolve({});
  expect(() => [
    resolveAll({ data: { create: resolver }, query: resolver, result: resolver, dispatch: resolver }),
    resolveResult(resolver, resolver),
    serviceSchema({ record, resolvers: { dispatch: resolver } }),
    querySyntax({ name: Type.String() }),
    getDataValidator({ create: record, patch: record }),
  ]).not.toThrow();
});

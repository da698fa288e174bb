import { describe, expect, it } from '@jest/globals';
import { getValidator, Type, type JSONSchema } from '../../src/index.ts';

const INHERITED = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf', 'toLocaleString'];

/** What is told of a value, by path and keyword; nothing of one that is taken. */
const told = async (schema: JSONSchema, value: unknown): Promise<readonly string[]> =>
  getValidator(schema)(value).then(
    () => [],
    (error: unknown) => (error as { errors: { path: string; keyword: string }[] }).errors.map(({ path, keyword }) => `${path}: ${keyword}`),
  );

describe.each(INHERITED)('a property called %s, which every object inherits', (name) => {
  const optional = { type: 'object', additionalProperties: false, properties: { [name]: { type: 'string' } } } as const;

  it('is checked where it is there, and not where it is not', async () => {
    expect(await told(optional, {})).toEqual([]);
    expect(await told(optional, { [name]: 'text' })).toEqual([]);
    expect(await told(optional, { [name]: {} })).toEqual([`${name}: type`]);
    const inside = Type.Object({ list: Type.Array(Type.Object({ [name]: Type.Optional(Type.Integer()) })) });
    expect(await told(inside as JSONSchema, { list: [{}, { [name]: 1 }, { [name]: 'a' }] })).toEqual([`list.2.${name}: type`]);
  });

  it('is missed where it is required', async () => {
    const required = { type: 'object', required: [name], properties: { [name]: {} } } as const;
    expect(await told(required, {})).toEqual([`${name}: required`]);
    expect(await told(required, { [name]: 1 })).toEqual([]);
    expect(await told({ type: 'object', required: [name] }, {})).toEqual([`${name}: required`]);
  });

  it('asks for others only where it is there', async () => {
    const dependent = { type: 'object', dependentRequired: { [name]: ['other'] }, properties: { other: {} } } as const;
    expect(await told(dependent, {})).toEqual([]);
    expect(await told(dependent, { [name]: 1 })).toEqual([`other: dependentRequired`]);
    const older = { type: 'object', dependencies: { [name]: { required: ['other'] } } } as const;
    expect(await told(older, {})).toEqual([]);
    expect(await told(older, { [name]: 1 })).toEqual([`other: required`]);
  });
});

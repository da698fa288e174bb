import { describe, expect, it } from '@jest/globals';
import { Hidden, ReadOnly, Type, type JSONSchema, type Viewer } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { RecordShape } from '../../src/record-shape/record-shape.ts';

const CALLER: Viewer = { params: { provider: 'rest' } };

const refused = (schema: JSONSchema, data: unknown): unknown[] =>
  new RecordShape(schema).refused(data, 'create', CALLER).map(({ path, keyword }) => [path, keyword]);

const inner = Type.Object({ name: Type.String(), pin: Hidden(Type.String()), level: ReadOnly(Type.Number()) });
const other = Type.Object({ city: Type.String(), token: Hidden(Type.String()) });
const anything: JSONSchema = { type: 'object', additionalProperties: true };

describe('a value that may be a list or an object', () => {
  const either = (...parts: JSONSchema[]): JSONSchema => ({ type: 'object', properties: { a: { anyOf: parts } } });
  const list = (items: JSONSchema): JSONSchema => ({ type: 'array', items });

  it.each<[string, JSONSchema, unknown, [path: string, keyword: string][]]>([
    ['a property of the object', either(list(inner), other), { city: 'x' }, []],
    ['a hidden property of the object', either(list(inner), other), { token: 'x' }, [['a.token', 'additionalProperties']]],
    [
      'a hidden property of the object beside elements of any kind',
      either(list({}), other),
      { token: 'x' },
      [['a.token', 'additionalProperties']],
    ],
    ['the same with open elements', either(list(anything), other), { token: 'x' }, [['a.token', 'additionalProperties']]],
    ['the same with lists of lists', either(list(list(anything)), other), { token: 'x' }, [['a.token', 'additionalProperties']]],
    ['the same, the object first', either(other, list(anything)), { token: 'x' }, [['a.token', 'additionalProperties']]],
    ['a hidden property of an element', either(list(inner), other), [{ pin: 'x' }], [['a.0.pin', 'additionalProperties']]],
    ['a hidden property of the one element', either(list(inner), other), { pin: 'x' }, [['a.pin', 'additionalProperties']]],
    ['the same beside an open object', either(list(inner), anything), { pin: 'x' }, [['a.pin', 'additionalProperties']]],
    ['a read-only property of an element', either(list(inner), anything), [{ level: 1 }], [['a.0.level', 'readOnly']]],
    ['what neither has', either(list(inner), other), { unknown: 1 }, [['a.unknown', 'additionalProperties']]],
    ['what an open object may have', either(list(inner), anything), { unknown: 1 }, []],
    ['what open elements may have', either(list({}), other), { unknown: 1 }, []],
    ['what an element has, in an object', either(list(inner), other), { name: 'x' }, []],
    ['an element by its index', either(list(inner), other), { 0: { pin: 'x' } }, [['a.0.pin', 'additionalProperties']]],
    ['text', either(list(inner), Type.String()), 'x', []],
    ['null', either(list(Hidden(Type.String())), Type.Null()), null, []],
    ['one value for a list of what is hidden', either(list(Hidden(Type.String())), Type.Null()), 'x', [['a', 'additionalProperties']]],
  ])('%s', (_name, schema, value, problems) => {
    expect(refused(schema, { a: value })).toEqual(problems);
    expect(refused(schema, { $set: { a: value } })).toEqual(problems.map(([path, keyword]) => [`$set.${path}`, keyword]));
  });

  it('does not become a list with what is hidden in its elements, when it is an object of indexes', async () => {
    const open = { ...inner, additionalProperties: true };
    const record: JSONSchema = {
      type: 'object',
      properties: { members: list(open), named: list(Type.Object({ pin: Hidden(Type.String()) })) },
    };
    const checks = new RecordChecks({ record, extensions: {} });
    const params = { provider: 'rest' };
    expect(await checks.validate({ members: { 0: { name: 'x', other: 1 } } }, 'patch', params)).toEqual({
      members: [{ name: 'x', other: 1 }],
    });
    for (const data of [{ members: { 0: { name: 'x', pin: 'y' } } }, { members: { 0: { name: 'x' }, 1: { name: 'x', level: 5 } } }])
      await expect(checks.validate(data, 'patch', params)).rejects.toMatchObject({
        code: 400,
        errors: [{ message: expect.stringContaining('can not be set') }],
      });
  });
});

import { describe, expect, it } from '@jest/globals';
import { Field, Hidden, ReadOnly, Type, WriteOnly, type JSONSchema, type Viewer } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { RecordShape } from '../../src/record-shape/record-shape.ts';

const CALLER: Viewer = { params: { provider: 'rest' } };

const refused = (schema: JSONSchema, data: unknown): unknown[] =>
  new RecordShape(schema).refused(data, 'create', CALLER).map(({ path, keyword }) => [path, keyword]);

const inner = Type.Object({ name: Type.String(), pin: Hidden(Type.String()), level: ReadOnly(Type.Number()) });
const other = Type.Object({ city: Type.String(), token: Hidden(Type.String()) });
const anything: JSONSchema = { type: 'object', additionalProperties: true };

describe('bytes, as sockets bring them,', () => {
  const part = Type.Object({ city: Type.Optional(Type.String()) });
  const record = (property: JSONSchema): JSONSchema => ({ type: 'object', properties: { a: property } });

  it.each<[string, JSONSchema]>([
    ['an object', part],
    ['an object that may be null', Type.Union([part, Type.Null()])],
    ['one of several objects', Type.Union([part, inner])],
    ['an object of parts', Type.Intersect([part, Type.Object({ street: Type.Optional(Type.String()) })])],
    ['an object with names of any kind', Type.Record(Type.String(), Type.Integer())],
    ['an object or a date', Type.Union([part, Type.Unsafe<Date>({ date: true })])],
  ])('are not taken for %s', async (_name, schema) => {
    expect(refused(record(schema), { a: new Uint8Array([1]) })).toEqual([['a', 'type']]);
    const list = new RecordChecks({ record: record(Type.Array(schema as never)), extensions: {} });
    await expect(list.validate({ a: [new Uint8Array([1])] }, 'patch', { provider: 'socketio' })).rejects.toMatchObject({
      code: 400,
      errors: [{ path: 'a.0', keyword: 'type', message: 'a.0 must be object' }],
    });
  });

  it.each<[string, JSONSchema]>([
    ['where anything may be', {}],
    ['where an object of any kind may be', { type: 'object' }],
    ['where anything may be beside an object', Type.Union([part, Type.Any()])],
    ['where a keyword of its own describes them', Type.Union([part, Type.Unsafe<Uint8Array>({ bytes: true })])],
  ])('are left to the validator %s', (_name, schema) => {
    expect(refused(record(schema), { a: new Uint8Array([1]) })).toEqual([]);
  });
});

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

describe('the text of a refusal', () => {
  const shape = new RecordShape(
    Type.Object({
      name: Type.String(),
      password: WriteOnly(Type.String()),
      token: Hidden(Type.String()),
      level: ReadOnly(Type.Number()),
      salary: Field(Type.Number(), { writable: ({ boss }: { boss?: boolean }) => boss === true }),
      profile: Type.Object({ city: Type.String(), verified: ReadOnly(Type.Boolean()), key: Hidden(Type.String()) }),
      members: Type.Array(Type.Object({ name: Type.String(), pin: Hidden(Type.String()), rank: ReadOnly(Type.Number()) })),
      pair: Type.Tuple([Type.String(), ReadOnly(Type.String())]),
      levels: Type.Array(ReadOnly(Type.Number())),
      map: Type.Record(Type.String(), Type.Object({ pin: Hidden(Type.String()) })),
      open: Type.Object({}, { additionalProperties: true }),
    }),
  );
  const told = (data: unknown, viewer: Viewer = CALLER): string[] =>
    shape.refused(data, 'patch', viewer).map(({ path, keyword, message, params }) => {
      expect(params).toEqual({});
      return `${path} (${keyword}): ${message}`;
    });
  const unknown = (path: string): string => `${path} (additionalProperties): ${path} can not be set`;
  const readOnly = (path: string): string => `${path} (readOnly): ${path} can not be set`;

  it.each<[unknown, string[]]>([
    [undefined, [' (type): the value must be an object']],
    [[{}], [' (type): the value must be an object']],
    [new Date(0), [' (type): the value must be an object']],
    [{ $set: 5 }, ['$set (operator): $set takes an object of paths']],
    [{ $set: ['name'] }, ['$set (operator): $set takes an object of paths']],
    [{ $set: null, other: 1 }, ['$set (operator): $set takes an object of paths', unknown('other')]],
    [
      { 'profile.city': 'x' },
      ['profile.city (additionalProperties): profile.city can not be set: a name with dots has to be declared by the data schema'],
    ],
    // What is hidden is told as what does not exist.
    [{ token: 'x', other: 'x', level: 1 }, [unknown('token'), unknown('other'), readOnly('level')]],
    [{ salary: 1 }, [unknown('salary')]],
    [{ profile: { key: 'x', verified: true, other: 1 } }, [unknown('profile.key'), readOnly('profile.verified'), unknown('profile.other')]],
    [{ profile: { 'a.b': 1 } }, [unknown('profile.a.b')]],
    [{ members: [{ name: 'a' }, { pin: 'x', rank: 1 }] }, [unknown('members.1.pin'), readOnly('members.1.rank')]],
    [{ pair: ['a', 'b'] }, [readOnly('pair.1')]],
    [{ pair: ['a'] }, []],
    [{ pair: 'a' }, [readOnly('pair')]],
    [{ pair: { 1: 'b' } }, [readOnly('pair')]],
    [{ levels: [] }, []],
    [{ levels: [5] }, [readOnly('levels.0')]],
    [{ levels: 5 }, [readOnly('levels')]],
    [{ levels: null }, []],
    [{ map: { a: { pin: 'x' } } }, [unknown('map.a.pin')]],
    [{ open: { a: { b: [{ c: 1 }] } } }, []],
    [{ open: new Date(0), name: null, password: 'x' }, []],
    [{ open: { a: JSON.parse('{"__proto__":1}') } }, [unknown('open.a.__proto__')]],
    [JSON.parse('{"__proto__":{"a":1}}'), [unknown('__proto__')]],
    [{ open: JSON.parse('{"__proto__":1}') }, [unknown('open.__proto__')]],
    [
      { $set: { name: 'x', token: 'y', 'profile.verified': true, 'members.0.name': 'z', 'members.$[].pin': 1 } },
      [unknown('$set.token'), readOnly('$set.profile.verified'), unknown('$set.members.$[].pin')],
    ],
    [{ $set: { 'token.deeper': 1, 'level.deeper': 1 } }, [readOnly('$set.token.deeper'), readOnly('$set.level.deeper')]],
    [{ $set: { 'open.a.b': 1, 'name.deeper': 1, 'profile.other': 1 } }, [unknown('$set.name.deeper'), unknown('$set.profile.other')]],
    [{ $set: { 'pair.1': 'x', 'pair.0': 'x', 'pair.$': 'x' } }, [readOnly('$set.pair.1'), readOnly('$set.pair.$')]],
    [{ $push: { pair: { $each: ['x'] } } }, [readOnly('$push.pair')]],
    [
      { $push: { members: { $each: [{ name: 'a' }, { rank: 1 }], $position: 0, $sort: { pin: 1 } } } },
      [readOnly('$push.members.$each.1.rank'), unknown('$push.members.$sort.pin')],
    ],
    [{ $push: { members: { name: 'a', pin: 'x' } } }, [unknown('$push.members.pin')]],
    [{ $addToSet: { levels: { $each: [1] } } }, [readOnly('$addToSet.levels')]],
    [{ $pull: { members: { name: 'a' } } }, []],
    [{ $pull: { members: { $or: [{ name: 'a' }, { pin: 'x' }] } } }, [unknown('$pull.members.$or.1.pin')]],
    // What is compared as a whole is so with all that is in it.
    [{ $addToSet: { members: { name: 'a' }, 'open.list': { a: 1 } } }, [unknown('$addToSet.members')]],
    [{ $addToSet: { members: { $each: [{ name: 'a' }] } } }, [unknown('$addToSet.members')]],
    [{ $pullAll: { members: [{ name: 'a' }], name: ['a'] } }, [unknown('$pullAll.members')]],
    [{ $pull: { members: { $in: [{ name: 'a' }] }, name: { $in: ['a'] } } }, [unknown('$pull.members.$in')]],
    [{ $pull: { members: { $or: [{ name: 'a' }, { $gt: { name: 'a' } }] } } }, [unknown('$pull.members.$or.1.$gt')]],
    [{ $pull: { members: { $not: { $eq: { name: 'a' } } } } }, [unknown('$pull.members.$not.$eq')]],
    [{ $pull: { map: { a: {} }, 'map.a': { pin: { $exists: true } } } }, [unknown('$pull.map.a'), unknown('$pull.map.a.pin')]],
    [{ $pull: { map: { a: { $exists: true } }, members: { name: { $gt: 'a' } }, profile: { city: 'a' } } }, []],
    [{ $pull: { password: 'x' }, $set: { password: 'x' } }, [unknown('$pull.password')]],
    [{ $pullAll: { password: ['x'] } }, [unknown('$pullAll.password')]],
    [{ $min: { password: 'x' }, $set: { name: 'x' } }, [unknown('$min.password')]],
    [{ $max: { password: 'x', name: 'x' } }, [unknown('$max.password')]],
    [{ $addToSet: { password: 'x', name: 'x' } }, [unknown('$addToSet.password')]],
    [{ $push: { members: { $each: [], $sort: 1 } } }, [unknown('$push.members.$sort')]],
    [{ $push: { members: { $each: [], $sort: { name: 1 } } } }, []],
    [
      { $push: { members: { $each: [], $sort: { 'pin.a': 1, rank: 1 } } } },
      [unknown('$push.members.$sort.pin.a'), readOnly('$push.members.$sort.rank')],
    ],
    [{ $push: { map: { $each: [], $sort: { a: 1 } }, name: { $each: [], $sort: -1 } } }, [unknown('$push.map.$sort.a')]],
    [
      { $unset: { name: '', profile: '', members: '', token: '' } },
      [readOnly('$unset.profile'), readOnly('$unset.members'), unknown('$unset.token')],
    ],
    [{ $unset: { profile: '' }, profile: { city: 'x' } }, [readOnly('$unset.profile')]],
    [{ $rename: { name: 'other', token: 'name' } }, [unknown('$rename.other'), unknown('$rename.token')]],
    [{ $rename: { name: 5 } }, [unknown('$rename.')]],
    [{ $rename: { password: 'name' } }, [unknown('$rename.password')]],
    [{ $inc: { level: 1, salary: 1 } }, [readOnly('$inc.level'), unknown('$inc.salary')]],
  ])('%j', (data, problems) => {
    expect(told(data)).toEqual(problems);
    expect(told(data, 'internal')).toEqual([]);
  });

  it('depends on who asks', () => {
    expect(told({ salary: 1, $inc: { salary: 1 } }, { params: { boss: true } as never })).toEqual([]);
  });

  it('ends with data that is nested deeper than 100 levels', () => {
    const tree = new RecordShape({
      type: 'object',
      properties: { a: { $ref: '#' }, list: { type: 'array', items: { $ref: '#/properties/list' } } },
    });
    const depths = (data: unknown): unknown[] =>
      tree.refused(data, 'create', CALLER).map(({ path, keyword }) => [path.split('.').length, keyword]);
    const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), {});
    expect(depths(nested(100))).toEqual([]);
    expect(depths(nested(101))).toEqual([[101, 'depth']]);
    const lists = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], []);
    expect(depths({ list: lists(99) })).toEqual([]);
    expect(depths({ list: lists(100) })).toEqual([[101, 'depth']]);
    const modifiers = Array.from({ length: 120 }).reduce<unknown>((inner) => ({ $and: [inner] }), { name: 'a' });
    expect(told({ $pull: { members: modifiers } })).toEqual([expect.stringMatching(/ \(depth\): .* is nested deeper than 100 levels$/)]);
  });

  it('is told twenty times at most, operators together with properties', () => {
    const many = (prefix: string): Record<string, number> =>
      Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${prefix}${String(at)}`, 1]));
    expect(told({ ...many('a'), $set: many('b'), ...many('c') })).toHaveLength(20);
    expect(told({ members: Array.from({ length: 30 }, () => ({ pin: 1 })) })).toHaveLength(20);
    expect(told({ $set: many('a'), $inc: many('b') }).at(-1)).toBe(unknown('$inc.b4'));
  });
});

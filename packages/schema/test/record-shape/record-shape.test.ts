import { describe, expect, it } from '@jest/globals';
import {
  Field,
  Hidden,
  Nullable,
  ReadOnly,
  RecordShape,
  Type,
  WriteOnly,
  type JSONSchema,
  type TSchema,
  type Viewer,
} from '../../src/index.ts';

const CALLER: Viewer = { params: { provider: 'rest' } };
const shapeOf = (properties: Record<string, TSchema>): RecordShape => new RecordShape(Type.Object(properties));
const shown = (schema: JSONSchema, record: unknown): unknown => new RecordShape(schema).redact(record, CALLER);

describe('what is kept from a viewer', () => {
  const secret = Type.Object({ open: Type.String(), pin: Hidden(Type.String()) });
  it.each<[string, JSONSchema, string[]]>([
    ['properties of objects, written only and hidden', Type.Object({ a: secret, b: WriteOnly(Type.String()) }), ['a.pin', 'b']],
    ['the same kind of record in two places', Type.Object({ author: secret, editor: secret }), ['author.pin', 'editor.pin']],
    [
      'lists, and places of tuples',
      Type.Object({ a: Type.Array(secret), b: Type.Tuple([Type.String(), Hidden(Type.String())]) }),
      ['a.pin', 'b.*', 'b.1'],
    ],
    ['names that are not listed', Type.Object({ a: Type.Record(Type.String(), secret) }), ['a.*.pin']],
    ['what only some see', Type.Object({ a: Field(Type.String(), { readable: ({ boss }: { boss?: boolean }) => boss === true }) }), ['a']],
    [
      'records that hold records of their own kind',
      { $id: 'person', type: 'object', properties: { friend: { $ref: 'person' }, pin: { type: 'string', hidden: true } } },
      ['friend.pin', 'pin'],
    ],
  ])('tells %s', (_what, schema, paths) => {
    const shape = new RecordShape(schema);
    expect(shape.unseenBy(CALLER)).toEqual(paths);
    expect(shape.unseenBy('internal')).toEqual([]);
  });

  it('goes into one kind of record twenty times, however many places it stands in', () => {
    const many = Type.Object(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a${String(index)}`, secret])));
    expect(new RecordShape(many).unseenBy(CALLER)).toHaveLength(20);
  });
});

describe('redact', () => {
  it.each<[string, JSONSchema, unknown, unknown]>([
    ['a nullable property', Type.Object({ a: Nullable(Hidden(Type.String())) }), { a: 'x', b: 1 }, { b: 1 }],
    ['values of a record', Type.Object({ a: Type.Record(Type.String(), Hidden(Type.String())) }), { a: { x: 'x' } }, { a: {} }],
    ['a place of a tuple', Type.Object({ a: Type.Tuple([Type.String(), Hidden(Type.String())]) }), { a: ['x', 'y'] }, { a: ['x', null] }],
    ['elements of a list', Type.Object({ a: Type.Array(Hidden(Type.String())) }), { a: ['x', 'y'] }, { a: [] }],
    [
      'further properties',
      Type.Object({ a: Type.Object({}, { additionalProperties: Hidden(Type.String()) }) }),
      { a: { b: 'x' } },
      { a: {} },
    ],
    [
      'a part of an intersection, below seven levels',
      [1, 2, 3, 4, 5, 6, 7].reduce<TSchema>(
        (inner) => Type.Object({ a: inner }),
        Type.Intersect([Type.Object({ x: Type.Number() }), Type.Object({ y: Hidden(Type.Number()) })]),
      ),
      [1, 2, 3, 4, 5, 6, 7].reduce<unknown>((inner) => ({ a: inner }), { x: 1, y: 2 }),
      [1, 2, 3, 4, 5, 6, 7].reduce<unknown>((inner) => ({ a: inner }), { x: 1 }),
    ],
    [
      'what is a list where one object is described',
      Type.Object({ a: Type.Object({ b: Hidden(Type.Null()) }) }),
      { a: [{ b: 1 }] },
      { a: [{}] },
    ],
    ['names with dots', Type.Object({ a: Type.Object({ b: Hidden(Type.Null()) }) }), { 'a.b': 1, 'a.c': 2 }, { 'a.c': 2 }],
  ])('S7 takes out %s', (_name, schema, record, expected) => {
    const before = structuredClone(record);
    expect(shown(schema, record)).toEqual(expected);
    expect(record).toEqual(before);
  });

  it('shares what it does not change, and leaves dates, bytes and values of the database as they are', () => {
    const shape = shapeOf({ a: Type.Object({ b: Hidden(Type.String()) }), c: Type.Object({ d: Type.String() }) });
    class Id {
      get _bsontype(): string {
        return 'ObjectId';
      }
      toJSON(): string {
        return 'id';
      }
    }
    const record = { a: { b: 'x' }, c: { d: 'y' }, at: new Date(), bytes: new Uint8Array(2), id: new Id() };
    const copy = shape.redact(record, CALLER) as typeof record;
    expect(copy).toEqual({ ...record, a: {} });
    expect([copy.c, copy.at, copy.bytes, copy.id].map((value, at) => value === [record.c, record.at, record.bytes, record.id][at])).toEqual(
      [true, true, true, true],
    );
    expect(shape.redact(record.c, CALLER)).toBe(record.c);
    expect(shape.redact(record, 'internal')).toBe(record);
  });

  it('refuses to follow a record that contains itself', () => {
    const record: Record<string, unknown> = {};
    record.self = record;
    expect(() => shapeOf({ a: Hidden(Type.Null()) }).redact(record, CALLER)).toThrow('contains itself');
  });

  it('a value that says of itself that it is of the database is looked into', () => {
    expect(shown(Type.Object({ a: Hidden(Type.Null()) }), { _bsontype: 'ObjectId', a: 1 })).toEqual({ _bsontype: 'ObjectId' });
  });

  it('follows rules by role; one that throws or does not answer at once does not agree', () => {
    const readable = (params: { user?: { role: string } }): boolean => params.user!.role === 'admin';
    const shape = shapeOf({
      salary: Field(Type.Number(), { readable }),
      later: Field(Type.Number(), { readable: (async () => true) as never }),
    });
    const record = { salary: 5, later: 6 };
    expect(shape.redact(record, { params: { user: { role: 'admin' } } })).toEqual({ salary: 5 });
    expect(shape.redact(record, { params: { user: { role: 'member' } } })).toEqual({});
    expect(shape.redact(record, CALLER)).toEqual({});
    expect(shape.property(['salary'], CALLER)).toEqual({ readable: false, queryable: false, writable: true });
    expect(shape.queryable('salary')).toBe(false);
  });
});

describe('refused', () => {
  const shape = shapeOf({
    name: Type.String(),
    password: WriteOnly(Type.String()),
    token: Hidden(Type.String()),
    profile: Type.Object({ city: Type.String(), verified: Type.Readonly(Type.Boolean()) }),
    members: Type.Array(Type.Object({ name: Type.String(), secret: Hidden(Type.String()) })),
    levels: Type.Array(ReadOnly(Type.Number())),
    open: Type.Object({}, { additionalProperties: true }),
  });

  it.each<[string, unknown, string]>([
    ['an unknown property', { other: 1 }, 'other'],
    ['an unknown nested property', { profile: { other: 1 } }, 'profile.other'],
    ['a read-only nested property', { profile: { verified: true } }, 'profile.verified'],
    ['a hidden property', { token: 'x' }, 'token'],
    ['a hidden property of an element', { members: [{ name: 'a' }, { secret: 'x' }] }, 'members.1.secret'],
    ['a name with dots', { 'profile.verified': true }, 'profile.verified'],
    ['a name with dots that may be set nested', { 'profile.city': 'x' }, 'profile.city'],
    ['an operator', { $set: { 'profile.verified': true } }, '$set.profile.verified'],
    ['an operator on all elements', { $set: { 'members.$[].secret': 'x' } }, '$set.members.$[].secret'],
    ['an operator with a whole value', { $set: { profile: { verified: true } } }, '$set.profile.verified'],
    ['an operator that adds elements', { $push: { members: { $each: [{ secret: 'x' }] } } }, '$push.members.$each.0.secret'],
    ['an operator that adds elements that are read-only', { $push: { levels: 5 } }, '$push.levels'],
    ['an operator that removes what holds something read-only', { $unset: { profile: '' } }, '$unset.profile'],
    ['renaming what is hidden', { $rename: { token: 'name' } }, '$rename.token'],
    ['renaming to what is hidden', { $rename: { name: 'token' } }, '$rename.token'],
    ['renaming what is only written', { $rename: { password: 'name' } }, '$rename.password'],
    ['pulling by what is hidden', { $pull: { members: { secret: { $gt: 'a' } } } }, '$pull.members.secret'],
    ['the prototype', JSON.parse('{"open":{"__proto__":{"x":1}}}'), 'open.__proto__'],
    ['a list', [{ name: 'a' }], ''],
    ['text', 'x', ''],
  ])('S10 names %s', (_name, data, path) => {
    for (const operation of ['create', 'update', 'patch'] as const)
      expect(shape.refused(data, operation, CALLER).map((problem) => problem.path)).toEqual([path]);
    expect(shape.refused(data, 'patch', 'internal')).toEqual([]);
  });

  it('takes what may be set, passwords among it', () => {
    const data = { name: 'a', password: 'x', profile: { city: 'b' }, members: [{ name: 'c' }], open: { any: { thing: 1 } } };
    expect(shape.refused(data, 'create', CALLER)).toEqual([]);
    expect(
      shape.refused({ $set: { 'profile.city': 'x', 'members.0.name': 'y' }, $push: { members: { name: 'z' } } }, 'patch', CALLER),
    ).toEqual([]);
  });

  it('stops after twenty problems', () => {
    const reads = { count: 0 };
    const data = new Proxy(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x${String(at)}`, 1])), {
      get: (target, name) => ((reads.count += 1), Reflect.get(target, name) as unknown),
    });
    expect(shape.refused(data, 'create', CALLER)).toHaveLength(20);
    expect(reads.count).toBeLessThan(50);
  });
});

describe('adding to a shape', () => {
  it('hides, protects and opens dotted paths through lists, in records of its own kind too, until it is frozen', () => {
    const record = Type.Recursive((This) =>
      Type.Object({ name: Type.String(), parts: Type.Array(This), login: Type.Object({ name: Type.String() }) }),
    );
    const shape = new RecordShape(record).add({
      hidden: ['parts.cost', 'undescribed.key'],
      writeOnly: ['login.password'],
      readOnly: ['name'],
    });
    const part = { name: 'b', cost: 1, login: { name: 'x', password: 'y' } };
    expect(shape.redact({ name: 'a', parts: [{ ...part, parts: [part] }], undescribed: { key: 1, b: 2 } }, CALLER)).toEqual({
      name: 'a',
      parts: [{ name: 'b', login: { name: 'x' }, parts: [{ name: 'b', login: { name: 'x' } }] }],
      undescribed: { b: 2 },
    });
    expect(shape.refused({ login: { password: 'x' } }, 'patch', CALLER)).toEqual([]);
    expect(shape.refused({ name: 'x' }, 'patch', CALLER)).toMatchObject([{ path: 'name', keyword: 'readOnly' }]);
    expect(shape.property(['login', 'password'], CALLER)).toEqual({ readable: false, queryable: false, writable: true });
    expect(() => shape.add({ hidden: ['a..b'] })).toThrow(TypeError);
    expect(() => shape.add({ secret: ['a'] } as never)).toThrow("no rules 'secret'");
    expect(() => shape.freeze().add({ hidden: ['name'] })).toThrow("say nothing of 'name'");
  });
});

describe('a shape with a schema of the data of its own', () => {
  const record = Type.Object({
    name: Type.String(),
    tags: Type.Array(Type.String()),
    age: ReadOnly(Type.Integer()),
    pin: Hidden(Type.String()),
  });
  const taking = (patch: JSONSchema): RecordShape => new RecordShape(record, { data: { patch } });
  const shape = taking(Type.Object({ name: Type.String(), $push: Type.Optional(Type.Object({ tags: Type.String() })) }));
  const refused = (data: unknown, of = shape): unknown => of.refused(data, 'patch', CALLER).map(({ path, keyword }) => [path, keyword]);

  it.each<[unknown, unknown]>([
    [{ name: 'a' }, []],
    [{ $push: { tags: 'b' } }, []],
    [{ tags: [] }, [['tags', 'additionalProperties']]],
    [{ $inc: { tags: 1 } }, [['$inc.tags', 'additionalProperties']]],
    [{ $push: { age: 1 } }, [['$push.age', 'readOnly']]],
    [{ pin: 'x', tags: [] }, [['pin', 'additionalProperties']]],
    [{ age: 1, tags: [] }, [['age', 'readOnly']]],
  ])('takes what that names, and what the record lets callers set: %j', (data, problems) => {
    expect(refused(data)).toEqual(problems);
  });

  it.each([null, undefined, 'text', 5])('leaves to validators what is no data: %j', (data) => {
    expect(refused(data)).toEqual(refused(data, new RecordShape(record)));
  });

  it('knows what that names, for the operation that it is of', () => {
    const names = ['name', '$push', 'tags', 'pin'].map((name) => [shape.declares('patch', name), shape.declares('create', name)]);
    expect(names).toEqual([
      [true, false],
      [true, false],
      [false, false],
      [false, false],
    ]);
  });

  it('is refused where that takes what nobody can set', () => {
    const wrong = taking(Type.Object({ age: Type.Integer(), pin: Type.String(), name: Type.String() }));
    expect(() => wrong.freeze()).toThrow("The data takes 'age', 'pin', which the record hides or has read-only");
    expect(() => shape.refuseContradictions()).not.toThrow();
  });
});

describe('what a shape says of its paths', () => {
  const login = Type.Object({ name: Type.String(), password: Hidden(Type.String()) });
  const shape = new RecordShape(Type.Object({ login, text: Type.String(), id: ReadOnly(Type.Integer()) }));

  it.each<[string, Viewer, unknown]>([
    ['text', CALLER, { readable: true, queryable: true, writable: true }],
    ['id', CALLER, { readable: true, queryable: true, writable: false }],
    ['login', CALLER, { readable: true, queryable: false, writable: true }],
    ['login', 'internal', { readable: true, queryable: true, writable: true }],
    ['login.name', CALLER, { readable: true, queryable: true, writable: true }],
    ['login.password', CALLER, { readable: false, queryable: false, writable: false }],
    ['text.length', CALLER, undefined],
  ])('%s for %j', (path, viewer, rules) => {
    expect(shape.property(path.split('.'), viewer)).toEqual(rules);
  });

  it('tells by which of them everybody may ask', () => {
    expect(['text', 'login.name', 'login', 'login.password', 'text.length'].map((path) => shape.queryable(path))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('tells whether anything in them depends on who asks', () => {
    const boss = Field(Type.String(), { readable: ({ boss: is }: { boss?: boolean }) => is === true });
    expect([shape, shapeOf({ a: Type.Object({ b: boss }), c: Type.String() })].map(({ hasRoleRules }) => hasRoleRules)).toEqual([
      false,
      true,
    ]);
  });

  it('takes rules that it knows, also when it is frozen', () => {
    const frozen = shapeOf({ text: Type.String() })
      .add({ hidden: ['key'] })
      .freeze();
    expect(frozen.add({ hidden: ['key'] })).toBe(frozen);
    expect(() => frozen.add({ readOnly: ['key'] })).toThrow("say nothing of 'key'");
  });
});

describe('records of a shape in other values', () => {
  const shape = shapeOf({ text: Type.String(), pin: Hidden(Type.Integer()) });
  const around = shapeOf({ inner: Type.Any() });
  const deep = (): { pin: number; list: { text: string; pin: number }[] } => ({ pin: 1, list: [{ text: 'a', pin: 2 }] });

  it('are looked for at any depth where that is asked for', () => {
    expect(shape.redactor(CALLER)(deep())).toEqual({ list: [{ text: 'a', pin: 2 }] });
    expect(shape.redactor(CALLER, true)(deep())).toEqual({ list: [{ text: 'a' }] });
  });

  it('are shown whole to the server', () => {
    const record = deep();
    expect(shape.redactor('internal', true)(record)).toBe(record);
  });

  it('are remembered: by themselves, or wherever they are in a value', () => {
    const [own, parts] = [deep(), deep()];
    shape.remember(own);
    shape.rememberEverywhere(parts);
    expect(around.redact({ inner: own }, CALLER)).toEqual({ inner: { list: [{ text: 'a', pin: 2 }] } });
    expect(around.redact({ inner: parts }, CALLER)).toEqual({ inner: { list: [{ text: 'a' }] } });
  });
});

describe('what can not be seen through is refused at start', () => {
  it.each<[string, () => JSONSchema, string]>([
    [
      'a mark below not',
      () => ({ type: 'object', properties: { a: { not: { properties: { b: { hidden: true } } } } } }),
      "'a' of the record has a mark",
    ],
    ['a mark below an unknown keyword', () => ({ type: 'object', select: { properties: { b: { hidden: true } } } }), "below 'select'"],
    ['a mark on names', () => ({ type: 'object', propertyNames: { hidden: true } }), "below 'propertyNames'"],
    [
      'a reference to nowhere',
      () => ({ type: 'object', properties: { a: { items: { $ref: '#/$defs/x' } } } }),
      "'a' of the record can not be seen through",
    ],
    ['a function', () => Type.Object({ a: Type.Object({ b: Type.Function([], Type.Null()) }) }), "'a.b' of the record is a Function"],
    ['a transform', () => Type.Object({ a: Type.Transform(Type.String()).Decode(String).Encode(String) }), 'Type.Transform'],
    ['a record that is hidden', () => Hidden(Type.Object({})), 'can not be hidden as a whole'],
  ])('%s', (_name, schema, message) => {
    expect(() => new RecordShape(schema())).toThrow(message);
  });

  it('follows dynamic and recursive references, anchors and ids', () => {
    const tree: JSONSchema = {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { secret: { hidden: true }, kids: { items: { $dynamicRef: '#node' } } },
    };
    expect(shown(tree, { kids: [{ kids: [{ secret: 1 }] }] })).toEqual({ kids: [{ kids: [{}] }] });
    const recursive: JSONSchema = { $recursiveAnchor: true, properties: { secret: { hidden: true }, kid: { $recursiveRef: '#' } } };
    expect(shown(recursive, { kid: { kid: { secret: 1 } } })).toEqual({ kid: { kid: {} } });
    const named: JSONSchema = {
      $defs: { a: { $id: 'urn:a', hidden: true }, b: { $anchor: 'b', hidden: true } },
      properties: { x: { $ref: 'urn:a' }, y: { $ref: '#b' } },
    };
    expect(shown(named, { x: 1, y: 2, z: 3 })).toEqual({ z: 3 });
  });
});

import { framework, type Params } from '@framework/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { converting } from '../src/driver-error.ts';
import { toFrameworkError } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const outside = { provider: 'rest' };

describe('queries from outside', () => {
  it.each([
    [{ name: { $where: '1' } }],
    [{ $where: '1' }],
    [{ name: { $regex: 'a' } }],
    [{ $expr: {} }],
    [{ $or: [{ a: { $function: 1 } }] }],
    [{ name: { $in: [{ $gt: 1 }], $elemMatch: {} } }],
  ])('S2 S4 refuses %p in every method before a command is sent', async (query) => {
    const service = harness.service({ multi: true });
    const params = { ...outside, query };
    for (const call of [
      () => service.find(params),
      () => service.get('1', params),
      () => service.create({ name: 'a' }, params),
      () => service.update('1', {}, params),
      () => service.patch(null, {}, params),
      () => service.remove(null, params),
      () => service.find({ ...params, pipeline: [] }),
      () => service._find(params),
      () => service.findRaw(params),
      () => service.aggregateRaw(params),
    ])
      await expect(call()).rejects.toMatchObject({ code: 400 });
    expect(harness.commands).toEqual([]);
  });

  it('S3 may name only declared paths', async () => {
    await expect(harness.service().find({ ...outside, query: { 'a.b': 1 } })).rejects.toMatchObject({ code: 400 });
    await expect(harness.service({ paths: ['a.b'] }).find({ ...outside, query: { 'a.b': 1 } })).resolves.toEqual([]);
    await expect(harness.service().find({ query: { 'a.b': 1 } })).resolves.toEqual([]);
  });

  it('S7 gives the same answer for every condition on a hidden property', async () => {
    await harness.service().create({ name: 'a', password: 'm' });
    const service = harness.service({ hidden: ['password'] });
    const answer = async (query: object): Promise<unknown> =>
      service
        .find({ ...outside, query: query as Record<string, unknown> })
        .catch((error: unknown) => (error as { toJSON(): unknown }).toJSON());
    expect(await answer({ password: { $gt: 'a' } })).toEqual(await answer({ password: { $gt: 'z' } }));
    for (const query of [{ password: 'm' }, { $sort: { password: 1 } }, { $select: ['password'] }, { $or: [{ password: 'm' }] }])
      expect(await answer(query)).toMatchObject({ code: 400 });
  });

  it.each([{ $expr: { $eq: ['$password', 'm'] } }, { $jsonSchema: { properties: { password: { pattern: '^m' } } } }])(
    'S7 does not ask for a hidden property by what reads whole records: %j',
    async (query) => {
      const app = framework();
      app.use('people', harness.service({ hidden: ['password'], filters: ['$expr', '$jsonSchema'] }));
      const people = app.service('people');
      await people.create({ name: 'a', password: 'm' });
      expect(await people.find({ query })).toHaveLength(1);
      harness.commands.length = 0;
      await expect(people.find({ ...outside, query })).rejects.toMatchObject({ code: 400 });
      expect(harness.commands).toEqual([]);
    },
  );

  it('S7 gets nothing of a hidden property, at any depth, and does not write it', async () => {
    const app = framework();
    app.use('people', harness.service({ hidden: ['password', 'members.secret'], updateOperators: ['$set'], paginate: { default: 5 } }));
    const people = app.service('people');
    const own = { name: 'a', password: 'm', members: [{ secret: 1, open: 2 }] };
    const { _id } = (await people.create(own)) as { _id: unknown };
    const shown = { _id, name: 'a', members: [{ open: 2 }] };
    expect(await people.get(_id as string)).toEqual({ _id, ...own });
    const external: Params = outside;
    expect(await people.get(_id as string, external)).toEqual(shown);
    expect(await people.find(external)).toMatchObject({ total: 1, data: [shown] });
    expect(await people.patch(_id as string, { name: 'b' }, external)).toEqual({ ...shown, name: 'b' });
    for (const data of [
      { password: 'n' },
      { $set: { 'members.0.secret': 3 } },
      { 'members.$[].secret': 3 },
      { $set: { 'members.$[].secret': 3 } },
      { members: [{ secret: 3 }] },
    ])
      await expect(people.patch(_id as string, data, external)).rejects.toMatchObject({ code: 400 });
    for (const query of [{ $sort: { password: 1 } }, { members: { $elemMatch: { secret: 1 } } }, { members: { secret: 1 } }])
      await expect(people.find({ ...outside, query })).rejects.toMatchObject({ code: 400 });
    expect(await people.remove(_id as string, external)).toEqual({ ...shown, name: 'b' });
  });

  it('S10 refuses a list as a patch, of one record and of several', async () => {
    const service = harness.service({ multi: true });
    const { _id } = await service.create({ name: 'a' });
    for (const params of [outside, {}])
      for (const id of [_id as string, null])
        await expect(service.patch(id as string, [{ name: 'b' }] as never, params)).rejects.toMatchObject({ code: 400 });
    expect(await service.find()).toEqual([{ _id, name: 'a' }]);
  });

  it('S14 bounds pages and skips', async () => {
    const service = harness.service({ paginate: { default: 2, max: 5 }, maxSkip: 100 });
    expect(await service.find({ ...outside, query: { $limit: '1000' } })).toMatchObject({ limit: 5 });
    for (const query of [{ $limit: '-1' }, { $limit: '1e309' }, { $limit: ['1'] }, { $skip: '101' }, { $limit: '10abc' }]) {
      await expect(service.find({ ...outside, query })).rejects.toMatchObject({ code: 400 });
    }
  });

  it('S3 bounds how deep and how wide queries are, as the service and a call say', async () => {
    const deep = { $and: [{ $or: [{ $and: [{ name: { $gt: 'a' } }] }] }] };
    const wide = { $or: Array.from({ length: 101 }, (_, index) => ({ name: index === 100 ? 'b' : `c${String(index)}` })) };
    const service = harness.service();
    const raised = harness.service({ maxDepth: 6, maxKeys: 102 });
    const { _id } = await service.create({ name: 'b' });
    for (const [query, option] of [
      [deep, 'maxDepth'],
      [wide, 'maxKeys'],
    ] as const) {
      await expect(service.find({ query })).rejects.toMatchObject({ code: 400, message: expect.stringContaining(option) });
      expect(await service.find({ query, adapter: { [option]: 102 } })).toEqual([{ _id, name: 'b' }]);
      expect(await raised.find({ ...outside, query })).toEqual([{ _id, name: 'b' }]);
    }
  });

  it.each([
    ['(a+)+$'],
    ['(a|a)*$'],
    ['([a-z]+)*x'],
    ['(\\w+\\s?)*$'],
    ['((a+))+$'],
    ['((a)*)*$'],
    ['(a+){20}'],
    ['(.*a){25}'],
    ['a'.repeat(101)],
    ['(a)\\1'],
  ])('S13 refuses the pattern %p', async (pattern) => {
    const service = harness.service({ operators: ['$regex', '$options'] });
    await service.create({ name: 'a'.repeat(10_000) });
    await expect(service.find({ ...outside, query: { name: { $regex: pattern } } })).rejects.toMatchObject({ code: 400 });
    await expect(service.find({ ...outside, query: { name: { $regex: 'a', $options: 'g' } } })).rejects.toMatchObject({ code: 400 });
  });

  it('S36 can not widen a restriction that a hook has set', async () => {
    const service = harness.service({ multi: true });
    await service.create([
      { name: 'mine', owner: 'me' },
      { name: 'theirs', owner: 'you' },
    ]);
    for (const query of [
      { $or: [{ owner: 'you' }] },
      { $and: [{ owner: 'you' }] },
      { $or: [{ owner: { $ne: null } }, { name: 'theirs' }] },
      { name: { $ne: 'x' } },
    ]) {
      const found = (await service.find({ ...outside, query: { ...query, owner: 'me' }, paginate: false })) as { owner?: unknown }[];
      expect(found.every((record) => record.owner === 'me')).toBe(true);
    }
  });
});

describe('data from outside', () => {
  it.each([
    [{ $set: { a: 1 } }],
    [{ $inc: { a: 1 } }],
    [{ a: { $gt: 1 } }],
    [{ a: [{ $x: 1 }] }],
    [{ a: { b: { $c: 1 } } }],
    [{ 'list.$[]': 1 }],
    [{ 'list.$[].a': 1 }],
    [{ a: { 'list.$': 1 } }],
    [{ $where: 'x' }],
    [JSON.parse('{"a":{"__proto__":1}}')],
    [JSON.parse('{"__proto__":{"x":1}}')],
    [{ constructor: 1 }],
    ['text'],
    [5],
    [null],
  ])('S6 S8 refuses %j in create, update and patch', async (data) => {
    const service = harness.service();
    for (const call of [
      () => service.create(data as never, outside),
      () => service.update('1', data as never, outside),
      () => service.patch('1', data as never, outside),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 400 });
    }
    expect(harness.commands).toEqual([]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('S6 takes the update operators that the service lists, and no pipelines', async () => {
    const service = harness.service({ updateOperators: ['$inc', '$push'] });
    const { _id } = await service.create({ name: 'a', age: 1, tags: [] });
    await expect(
      service.patch(String(_id), { $inc: { age: 1 }, $push: { tags: { $each: ['x'] } } } as never, outside),
    ).resolves.toMatchObject({ age: 2, tags: ['x'] });
    await expect(service.patch(String(_id), { $set: { age: 1 } } as never, outside)).rejects.toMatchObject({ code: 400 });
    await expect(service.patch(String(_id), [{ $set: { age: 1 } }] as never, outside)).rejects.toMatchObject({ code: 400 });
    await expect(service.patch(String(_id), { $push: { tags: { $each: [{ $gt: 1 }] } } } as never, outside)).rejects.toMatchObject({
      code: 400,
    });
  });
});

describe('errors of the database (S40)', () => {
  it('are conflicts with the names of the fields only for duplicates', async () => {
    await harness.database.db.collection('people').createIndexes([{ key: { email: 1 }, unique: true, sparse: true }]);
    const service = harness.service({ multi: true });
    await service.create({ name: 'a', email: 'secret@example.com' });
    for (const call of [
      () => service.create({ name: 'b', email: 'secret@example.com' }),
      () => service.create([{ name: 'c', email: 'secret@example.com' }]),
    ]) {
      const error = await (call() as Promise<unknown>).catch((thrown: unknown) => thrown as { toJSON(): object; code: number });
      expect(error).toMatchObject({ code: 409, name: 'Conflict', data: { fields: ['email'] } });
      expect(JSON.stringify(error)).not.toMatch(/secret@|E11000|index:/);
    }
  });

  it('are of the caller where an index or an order takes no lists in two properties', async () => {
    const service = harness.service({ paginate: false });
    await harness.database.db.collection('people').createIndexes([{ key: { one: 1, two: 1 } }]);
    const record = { one: [1], two: [2] };
    await expect(service.create(record as never)).rejects.toMatchObject({ code: 400, name: 'BadRequest' });
    await service.create({ three: [1], four: [2] } as never);
    await expect(service.find({ query: { $sort: { three: 1, four: 1 } } } as never)).rejects.toMatchObject({ code: 400 });
  });

  it.each<[string, Params, boolean, object]>([
    [
      'are not named for a property that callers neither see nor set',
      outside,
      true,
      { message: 'Such a record exists already', data: { fields: [] } },
    ],
    ['are named for one that callers set', outside, false, { data: { fields: ['email'] } }],
    ['are named for the server', {}, true, { data: { fields: ['email'] } }],
  ])('%s', async (_case, params, isHidden, conflict) => {
    await harness.database.db.collection('people').createIndexes([{ key: { email: 1 }, unique: true, sparse: true }]);
    const app = framework();
    app.use('people', harness.service(isHidden ? { hidden: ['email'] } : {}));
    const people = app.service('people');
    people.hooks({ before: { create: [(context) => void Object.assign(context.data as object, { email: 'same@example.com' })] } });
    await people.create({ name: 'a' });
    await expect(people.create({ name: 'b' }, params)).rejects.toMatchObject({ code: 409, ...conflict });
  });

  it('are 422 for a collection with rules, 400 for values, 503 without a server and for what takes too long', async () => {
    await harness.reset();
    await harness.database.db.createCollection('people', { validator: { name: { $type: 'string' } } });
    await expect(harness.service().create({ name: 5 as never })).rejects.toMatchObject({ code: 422 });
    await expect(harness.service({ operators: ['$type'] }).find({ query: { name: { $type: 'nothing' } } })).rejects.toMatchObject({
      code: 400,
    });
    const gone = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5'), { name: 'MongoServerSelectionError' });
    expect(toFrameworkError(gone)).toMatchObject({ code: 503, data: { retryAfter: 5 } });
    const slow = Object.assign(new Error('operation exceeded time limit'), { name: 'MongoServerError', code: 50 });
    expect(toFrameworkError(slow)).toMatchObject({ code: 503, data: { retryAfter: 5 } });
  });

  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])(
    'are 503 where the connection ended under a command, which Node.js says: %s',
    async (code) => {
      // The driver passes on what the socket says, without a name of its own.
      const broken = Object.assign(new Error('This socket has been ended by the other party'), { code });
      const failed = { code: 503, message: 'The database can not be reached. Try again', data: { retryAfter: 5 } };
      const of = { inTransaction: false, writes: false, mayName: () => true, params: undefined };
      await expect(converting(() => Promise.reject(broken), of)).rejects.toMatchObject(failed);
      await expect(converting(() => Promise.reject(broken), { ...of, writes: true })).rejects.toThrow(
        'whether it has made the change is not known',
      );
    },
  );

  it('have no text of the driver', async () => {
    const error = toFrameworkError(Object.assign(new Error('secret collection db.users'), { name: 'MongoServerError', code: 9999 }));
    expect(error.code).toBe(500);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect((error.cause as Error).message).toContain('secret');
  });
});

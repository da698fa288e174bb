import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

type Row = Record<string, unknown>;

/** What both adapters do in the same way. */
interface Service {
  find(params?: object): Promise<unknown>;
  get(id: unknown, params?: object): Promise<unknown>;
  create(data: unknown, params?: object): Promise<unknown>;
  update(id: unknown, data: Row, params?: object): Promise<unknown>;
  patch(id: unknown, data: Row, params?: object): Promise<unknown>;
  remove(id: unknown, params?: object): Promise<unknown>;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

let docdb: DocDbService;
let both: readonly [docdb: Service, memory: Service];
beforeEach(() => startEmpty());

async function startEmpty(own: { readonly version?: string } = {}): Promise<void> {
  const collection = database.db.collection('beside');
  await collection.deleteMany({});
  const options = { id: '_id', multi: true, paginate: { default: 50, max: 50 }, cursors: true, ...own } as const;
  docdb = new DocDbService({ Model: collection, ...options });
  both = [docdb as unknown as Service, new MemoryService(options)];
}

/** What came of a call: its result, or the name and status of its error. */
async function outcome(call: () => Promise<unknown>): Promise<{ readonly result?: unknown; readonly error?: unknown }> {
  try {
    return { result: await call() };
  } catch (error) {
    const { name, code } = error as { name: string; code: unknown };
    return { error: [name, code] };
  }
}

it('an id that is taken is the same error of both adapters', async () => {
  for (const service of both) {
    await service.create({ _id: 'a' });
    for (const data of [{ _id: 'a' }, [{ _id: 'b' }, { _id: 'a' }]])
      await expect(service.create(data, { provider: 'rest' })).rejects.toMatchObject({
        code: 409,
        message: 'A record with the same _id exists already',
        data: { fields: ['_id'] },
        errors: [{ path: '_id', keyword: 'unique', message: '_id is already in use' }],
      });
  }
});

describe('$select of a path below a property', () => {
  const RECORDS: readonly [title: string, value: unknown, shown: Row][] = [
    ['an empty object', {}, { a: {} }],
    ['an object without it', { c: 1 }, { a: {} }],
    ['an object with it', { b: 1, c: 2 }, { a: { b: 1 } }],
    ['a list', [{ b: 1 }, {}, 5, [{ b: 2 }, 6]], { a: [{ b: 1 }, {}, [{ b: 2 }]] }],
    ['an empty list', [], { a: [] }],
    ['a text', 'b', {}],
    ['nothing', null, {}],
    ['a date', new Date(0), {}],
  ];
  const WAYS: readonly [title: string, way: (service: Service, params: { query: Row }) => Promise<unknown>][] = [
    ['get', (service, params) => service.get(1, params)],
    ['find', (service, params) => service.find({ ...params, paginate: false })],
    ['a page', (service, params) => service.find(params)],
    ['create', (service, params) => service.create({ _id: 2, ...RECORD }, params)],
    ['patch', (service, params) => service.patch(1, { other: 1 }, params)],
    ['patch of several', (service, params) => service.patch(null, { other: 1 }, params)],
    ['update', (service, params) => service.update(1, RECORD, params)],
    ['remove', (service, params) => service.remove(1, params)],
  ];
  let RECORD: Row;

  describe.each(RECORDS)('that is %s', (_title, value, shown) => {
    beforeEach(async () => {
      RECORD = { a: value };
      for (const service of both) await service.create({ _id: 1, ...RECORD });
    });

    it.each(WAYS)('gives what the database gives by both adapters: %s', async (title, way) => {
      const record = { _id: title === 'create' ? 2 : 1, ...shown };
      const expected = title.startsWith('find') || title.endsWith('several') ? [record] : record;
      const data = title === 'a page' ? expect.objectContaining({ data: [record] }) : expected;
      const [first, second] = await Promise.all(both.map((service) => way(service, { query: { $select: ['a.b'] } })));
      expect([first, second]).toEqual([data, data]);
    });

    it('gives the same by cursors of the driver', async () => {
      const query = { $select: ['a.b'] };
      const found = await (await docdb.findRaw({ query })).toArray();
      expect([found, await (await docdb.aggregateRaw({ query })).toArray()]).toEqual([[{ _id: 1, ...shown }], [{ _id: 1, ...shown }]]);
    });
  });
});

describe('a change that the database refuses', () => {
  const RECORD = { _id: 1, n: 5, s: 'text', at: new Date(0), nothing: null, o: { x: 1, nothing: null }, list: [1, { a: 1 }] };
  const CHANGES: readonly [title: string, change: Row][] = [
    ['goes through a number', { 'n.x': 1 }],
    ['goes through a text', { 's.0': 'x' }],
    ['goes through a date', { 'at.x': 1 }],
    ['goes through null', { 'nothing.x': 1 }],
    ['goes through null inside of an object', { 'o.nothing.x.y': 1 }],
    ['goes through a number in a list', { 'list.0.x': 1 }],
    ['names no place of a list', { 'list.x': 1 }],
    ['has a property, and a path in it', { o: {}, 'o.x': 1 }],
    ['has a path, and the property around it', { 'o.x': 1, o: {} }],
    ['has a path, and one in it', { 'o.z.y': 1, 'o.z': 1 }],
    ['has a path, and one in what is made', { 'new.z': 1, 'new.z.y': 1 }],
    ['has no name', { '': 1 }],
    ['has a path that ends with a dot', { 'o.': 1 }],
    ['has a path that begins with a dot', { '.o': 1 }],
    ['has a path with two dots', { 'o..x': 1 }],
    ['has a path with a positional operator', { 'o.$': 1 }],
    ['has a path with the operator for all elements', { 'o.$[]': 1 }],
    ['has a path with the operator for some elements', { 'o.$[one].x': 1 }],
    ['has a NUL in a name', { 'a\0b': 1 }],
    ['has a NUL in a name inside', { o: { 'a\0b': 1 } }],
    ['has a path of the id', { '_id.x': 1 }],
    ['has a path of the version', { 'rev.x': 1 }],
    ['has a path of 1000 properties', { [Array(1000).fill('a').join('.')]: 1 }],
    ['has an unknown operator', { $nothing: { n: 1 } }],
    ['has something good beside it', { ok: 1, 'n.x': 1 }],
  ];
  beforeEach(() => startEmpty({ version: 'rev' }));
  const CALLERS = [
    ['on the server', {}],
    ['from outside', { provider: 'rest' }],
  ] as const;

  describe.each(CALLERS)('%s', (_caller, params) => {
    it.each(CHANGES)('is 400 by both adapters, and leaves the record: it %s', async (_title, change) => {
      const outcomes = both.map(async (service) => {
        await service.create(RECORD);
        const before = await service.get(1);
        const { error } = await outcome(() => service.patch(1, change, params));
        return { error, record: await service.get(1), before };
      });
      const [first, second] = await Promise.all(outcomes);
      expect([first, second]).toEqual([first, second].map((each) => ({ ...each, error: ['BadRequest', 400], record: each?.before })));
    });
  });

  it.each(['a._bsontype', 'a._bsontype.x', 'a.__proto__.x', 'a.constructor', 'list.$[]', 'o.$x'])(
    'is 400 by both adapters from outside: the path %s',
    async (path) => {
      for (const service of both) await service.create(RECORD);
      const outcomes = both.map((service) => outcome(() => service.patch(1, { [path]: 'ObjectId' }, { provider: 'rest' })));
      expect(await Promise.all(outcomes)).toEqual([{ error: ['BadRequest', 400] }, { error: ['BadRequest', 400] }]);
    },
  );

  it('leaves all records of a patch of several in memory', async () => {
    const [, memory] = both;
    await memory.create([{ _id: 1 }, { _id: 2, n: 1 }]);
    const { error } = await outcome(() => memory.patch(null, { 'n.x': 1 }));
    expect([error, await memory.find({ paginate: false })]).toEqual([
      ['BadRequest', 400],
      [expect.objectContaining({ _id: 1 }), expect.objectContaining({ _id: 2, n: 1 })],
    ]);
  });

  it('is 400 by both adapters beside a path, where it is around something hidden', async () => {
    const collection = database.db.collection('beside');
    const options = { id: '_id', hidden: ['o.secret'] } as const;
    const outcomes = [new DocDbService({ Model: collection, ...options }), new MemoryService(options)].map(async (adapter) => {
      const app = framework();
      app.use('records', adapter as never);
      const service = app.service('records') as Service;
      await service.create({ _id: 1, o: { secret: 1 } });
      const { error } = await outcome(() => service.patch(1, { o: { x: 1 }, 'p.x': 1 }, { provider: 'rest' }));
      return { error, record: await service.get(1) };
    });
    const refused = { error: ['BadRequest', 400], record: { _id: 1, o: { secret: 1 } } };
    expect(await Promise.all(outcomes)).toEqual([refused, refused]);
  });

  it.each<[string, Row, Row]>([
    ['a list', { o: [{ secret: 1, x: 1 }] }, { o: { x: 2 } }],
    ['a list inside of an object', { o: { in: [{ secret: 1 }] } }, { o: { in: {} } }],
  ])('is 400 by both adapters where an object would replace %s whose elements have something hidden', async (_, stored, data) => {
    const collection = database.db.collection('beside');
    const options = { id: '_id', multi: true, hidden: ['o.secret', 'o.in.secret'] } as const;
    for (const adapter of [new DocDbService({ Model: collection, ...options }), new MemoryService(options)]) {
      const app = framework();
      app.use('records', adapter as never);
      const service = app.service('records') as Service;
      await service.create({ _id: 1, ...stored });
      const outside = { provider: 'rest' };
      const calls = [
        () => service.patch(1, data, outside),
        () => service.update(1, data, outside),
        () => service.patch(null as never, data, outside),
      ];
      for (const call of calls) expect(await outcome(call)).toEqual({ error: ['BadRequest', 400] });
      expect(await service.get(1)).toEqual({ _id: 1, ...stored });
      expect(await service.update(1, { n: 1 }, outside)).toMatchObject({ _id: 1, n: 1 });
    }
  });
});

describe('$elemMatch of a list of lists', () => {
  const RECORDS = [
    { _id: 1, list: [['a']] },
    { _id: 2, list: ['a', []] },
    { _id: 3, list: [[{ x: 1 }]] },
    { _id: 4, list: [[1, 2]] },
  ];

  it.each<[Row, readonly number[]]>([
    [{ $eq: 'a' }, [2]],
    [{ $ne: 'a' }, [1, 2, 3, 4]],
    [{ $in: ['a', 1] }, [2]],
    [{ $gt: 1 }, []],
    [{ $regex: 'a' }, [2]],
    [{ $eq: ['a'] }, [1]],
    [{ $size: 2 }, [4]],
    [{ $elemMatch: { x: 1 } }, [3]],
    [{ 0: 'a' }, [1]],
    [{ '0.x': 1 }, [3]],
    [{}, [1, 2, 3, 4]],
  ])('takes each of them for one element, as the database does: %p', async (condition, found) => {
    for (const service of both) await service.create(RECORDS);
    const adapter = { operators: ['$elemMatch', '$eq', '$regex', '$size'] };
    const outcomes = both.map((service) => service.find({ query: { list: { $elemMatch: condition } }, paginate: false, adapter }));
    const ids = found.map((_id) => expect.objectContaining({ _id }));
    expect(await Promise.all(outcomes)).toEqual([ids, ids]);
  });
});

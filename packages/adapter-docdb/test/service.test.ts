import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoNetworkError, ObjectId, type Collection, type Document } from 'mongodb';
import { DocDbService, transaction, transactionHook, type DocDbParams, type DriverOptions } from '../src/index.ts';
import { framework } from '@framework/core';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const names = (records: unknown): string[] => (records as { name: string }[]).map((record) => record.name);

describe('Model (interface 2.5)', () => {
  it('is a collection, a promise of one, or a function that gives either', async () => {
    const collection = harness.database.db.collection('people');
    for (const Model of [collection, Promise.resolve(collection), () => collection, async () => collection]) {
      await expect(new DocDbService({ Model }).find()).resolves.toEqual([]);
    }
    for (const options of [undefined, {}, { Model: undefined }, { Model: null }])
      expect(() => new DocDbService(options as never)).toThrow("needs options with a 'Model'");
  });

  it('is no database and no client, which have other methods: that is said at once, or at the first call where it was not known', async () => {
    const { db } = harness.database;
    for (const [given, what] of [
      [db, "a database: write db.collection('users')"],
      [db.client, "a client: write client.db().collection('users')"],
    ] as const) {
      const told = `The option 'Model' of DocDbService is a collection of the mongodb driver, a promise of one or a function, and this is ${what}`;
      expect(() => new DocDbService({ Model: given as never })).toThrow(new Error(told));
      for (const Model of [Promise.resolve(given), () => given, async () => given])
        await expect(new DocDbService({ Model: Model as never }).find()).rejects.toThrow(told);
    }
    await expect(new DocDbService({ Model: (() => undefined) as never }).find()).rejects.toThrow('a function, and not undefined');
  });

  it('can be another one for one call, by params.adapter', async () => {
    const other = harness.database.db.collection('other');
    await harness.service().create({ name: 'there' }, { adapter: { Model: other } });
    expect(await harness.service().find()).toEqual([]);
    expect(await (await harness.service().getModel({ adapter: { Model: other } })).countDocuments()).toBe(1);
    await other.drop();
  });

  it('that can not make its indexes is a fault of the application, and not of its callers (interface 4.5)', async () => {
    const collection = harness.database.db.collection('twice');
    await collection.insertMany([{ email: 'ann@example.com' }, { email: 'ann@example.com' }]);
    const Model = async (): Promise<Collection> => {
      await collection.createIndex({ email: 1 }, { unique: true });
      return collection;
    };
    const service = new DocDbService({ Model });
    const told = { code: 500, message: 'The collection of the service can not be made ready', cause: { code: 11000 } };
    await expect(service.find()).rejects.toMatchObject(told);
    await expect(service.create({ email: 'bob@example.com' }, { provider: 'rest' })).rejects.toMatchObject(told);
    await expect(service.findRaw()).rejects.toMatchObject(told);
    await collection.deleteOne({ email: 'ann@example.com' });
    expect(await service.find()).toHaveLength(1);
    await collection.drop();
  });

  it('that has no connection has changed nothing: the call can be made again', async () => {
    const service = new DocDbService({ Model: () => Promise.reject(new MongoNetworkError('connection 1 closed')) });
    for (const call of [() => service.find(), () => service.create({ name: 'Ann' }), () => service.patch(1, { name: 'Ann' })])
      await expect(call()).rejects.toMatchObject({
        code: 503,
        message: 'The database can not be reached. Try again',
        data: { retryAfter: 5 },
      });
  });
});

describe('options of calls that mean nothing', () => {
  it.each<[object, string]>([
    [{ returning: 'cuont' }, "The option 'returning' of DocDbService is records, ids or count"],
    [{ total: 'non' }, "The option 'total' of DocDbService is exact, estimated, none"],
    [{ maxTimeMS: -1 }, "The option 'maxTimeMS' of DocDbService is a whole number of milliseconds"],
    [{ slowMs: '5' }, "The option 'slowMs' of DocDbService is a number of milliseconds"],
    [{ objectIds: 'friend' }, "The option 'objectIds' of DocDbService is a list of names"],
    [{ paths: 'a.b' }, "The option 'paths' of DocDbService is a list of names"],
    [{ updateOperators: ['inc'] }, "begin with a $, as in '$inc'"],
    [{ disableObjectify: 'false' }, "The option 'disableObjectify' of DocDbService is true or false"],
  ])('are refused, as those of the service are: %j', async (adapter, message) => {
    const service = harness.service({ multi: true });
    await service.create({ name: 'Ann' });
    for (const call of [() => service.find({ adapter }), () => service.remove(null, { adapter })])
      await expect(call()).rejects.toThrow(message);
    expect(await service.find()).toHaveLength(1);
  });

  it('are none where all options of the service are handed over', async () => {
    const service = harness.service({
      paginate: { default: 5 },
      cursors: { secret: 's' },
      total: { upTo: 3 },
      slowMs: 5,
      updateOperators: ['$inc'],
    });
    expect(await service.find({ adapter: service.options })).toMatchObject({ total: 0, data: [] });
  });
});

describe('options of calls that are misspelt', () => {
  it('are refused, as the mistake of the code that calls, before anything is written', async () => {
    const service = harness.service({ multi: true });
    await service.create({ name: 'Ann' });
    const calls: ((params: object) => Promise<unknown>)[] = [
      (params) => service.find(params),
      (params) => service.create({ name: 'Ben' }, params),
      (params) => service.patch(null, { n: 1 }, params),
      (params) => service.remove(null, params),
      (params) => service.findRaw(params),
    ];
    for (const call of calls) {
      await expect(call({ adapter: { paginat: false } })).rejects.toThrow(
        "params.adapter of a call to DocDbService has no option 'paginat'. Did you mean 'paginate'?",
      );
      await expect(call({ adapter: { createIndexes: true } })).rejects.toThrow("has no option 'createIndexes'");
      await expect(call({ docdb: { sesion: {} } })).rejects.toThrow(
        new TypeError("params.docdb has no option 'sesion'. Did you mean 'session'?"),
      );
    }
    expect(await service.find({ query: { $select: ['name'] } })).toMatchObject([{ name: 'Ann' }]);
  });

  it('of the driver are passed on where they are like none that it has, or are its own', async () => {
    const docdb = { comment: 'c', min: undefined, let: {}, ofALaterDriver: 1 };
    expect(await harness.service().find({ docdb })).toEqual([]);
  });
});

describe('records', () => {
  it('are none where a list to create has a gap, or something else than a record, in it: nothing is created', async () => {
    const one = harness.service({ multi: true });
    for (const hole of [undefined, null, 'text', [], 5])
      await expect(one.create([{ n: 1 }, hole] as never)).rejects.toMatchObject({ code: 400 });
    // oxlint-disable-next-line no-sparse-arrays -- a list with a hole is what is tested
    await expect(one.create([, { n: 1 }] as never)).rejects.toMatchObject({ code: 400 });
    expect(await one.create([])).toEqual([]);
    expect(await one.find()).toEqual([]);
  });
});

describe('options', () => {
  const made = (options: object): DocDbService => new DocDbService({ Model: harness.database.db.collection('people'), ...options });

  it('that are undefined are as if they were left out, with the bounds that are the default', () => {
    const names = ['id', 'paginate', 'multi', 'maxTimeMS', 'maxMulti', 'returning', 'total', 'disabledOperators', 'events', 'cursors'];
    const { options } = made(Object.fromEntries(names.map((name) => [name, undefined])));
    expect(options).toEqual(made({}).options);
    expect(options).toMatchObject({ id: '_id', maxMulti: 10_000, maxTimeMS: 30_000, disabledOperators: ['$rename'] });
  });

  it.each(['', undefined, null, 5, new Uint8Array()])('refuse a secret of cursors that everybody knows, or that is none: %j', (secret) => {
    expect(() => made({ paginate: { default: 1 }, cursors: { secret } })).toThrow(
      "The 'secret' of the option 'cursors' of DocDbService is a text, or bytes, that all processes share",
    );
  });

  it.each([
    [{ cursors: 'x' }, "The option 'cursors' of DocDbService is true, false or { secret }"],
    [{ cursors: { secrt: 'x' } }, "The option 'cursors' of DocDbService has no option 'secrt'. Did you mean 'secret'?"],
    [{ createIndexes: '1', indexes: [] }, "The option 'createIndexes' of DocDbService is true or false, and not '1'"],
    [{ disableObjectify: 'true' }, "The option 'disableObjectify' of DocDbService is true or false, and not 'true'"],
    [{ total: { upTo: -1 } }, "The option 'total' of DocDbService is exact, estimated, none or { upTo: a whole number }"],
    [{ total: null }, "The option 'total' of DocDbService is exact, estimated, none or { upTo: a whole number }"],
  ])('that would be taken for others are refused at start: %j', (options, message) => {
    expect(() => made({ paginate: { default: 1 }, ...options })).toThrow(message);
  });
});

describe('object ids (interface 4.5)', () => {
  it('are made, and found by their 24 digits', async () => {
    const service = harness.service();
    const { _id } = await service.create({ name: 'a' });
    expect(_id).toBeInstanceOf(ObjectId);
    await expect(service.get(String(_id))).resolves.toMatchObject({ name: 'a' });
    await expect(service.get(_id as ObjectId)).resolves.toMatchObject({ name: 'a' });
  });

  it('are converted in equality, $in, $nin, $ne, $or and $and, and never guessed from 12 characters', async () => {
    const service = harness.service({ objectIds: ['friend', 'nested.owner'], multi: true });
    const friend = new ObjectId();
    const [one] = (await service.create([
      { name: 'one', friend, nested: { owner: friend } },
      { name: 'two' },
      { _id: 'twelve chars', name: 'three' },
    ] as never[])) as { _id: ObjectId }[];
    const id = String(one?._id);
    const find = async (query: Record<string, unknown>): Promise<string[]> =>
      names(await service.find({ query: { ...query, $sort: { name: 1 } } }));
    expect(await find({ _id: id })).toEqual(['one']);
    expect(await find({ _id: { $in: [id] } })).toEqual(['one']);
    expect(await find({ _id: { $nin: [id] } })).toEqual(['three', 'two']);
    expect(await find({ _id: { $ne: id } })).toEqual(['three', 'two']);
    expect(await find({ $or: [{ _id: id }, { name: 'two' }] })).toEqual(['one', 'two']);
    expect(await find({ $and: [{ _id: id }, { $or: [{ _id: id }] }] })).toEqual(['one']);
    expect(await find({ friend: String(friend) })).toEqual(['one']);
    expect(await find({ 'nested.owner': { $in: [String(friend)] } })).toEqual(['one']);
    expect(await find({ nested: { owner: String(friend) } })).toEqual(['one']);
    expect(await find({ _id: 'twelve chars' })).toEqual(['three']);
  });

  it('of a name of their own are object ids where the option says so, in every call', async () => {
    const service = harness.service({ id: 'ref', objectIds: ['ref'], multi: true });
    const text = '507f1f77bcf86cd799439011';
    const known = await service.create({ ref: text, name: 'Ann' });
    const made = await service.create({ name: 'Ben' });
    expect([known.ref, made.ref]).toEqual([new ObjectId(text), expect.any(ObjectId)]);
    for (const id of [text, String(made.ref)]) {
      await expect(service.get(id)).resolves.toHaveProperty('ref', new ObjectId(id));
      await expect(service.find({ query: { ref: id } })).resolves.toHaveLength(1);
      await expect(service.patch(id, { age: 5 })).resolves.toMatchObject({ ref: new ObjectId(id), age: 5 });
      await expect(service.update(id, { name: 'Cem' })).resolves.toMatchObject({ ref: new ObjectId(id), name: 'Cem' });
      await expect(service.get(id)).resolves.toMatchObject({ ref: new ObjectId(id), name: 'Cem' });
      await expect(service.remove(id)).resolves.toHaveProperty('ref', new ObjectId(id));
    }
  });

  it('stay texts with disableObjectify', async () => {
    const service = harness.service({ disableObjectify: true });
    const made = await service.create({ name: 'a' });
    expect(made._id).toMatch(/^[0-9a-f]{24}$/);
    await service.create({ _id: 'aaaaaaaaaaaaaaaaaaaaaaaa', name: 'b' });
    await expect(service.get('aaaaaaaaaaaaaaaaaaaaaaaa')).resolves.toEqual({ _id: 'aaaaaaaaaaaaaaaaaaaaaaaa', name: 'b' });
  });

  it.each([[{}], [[]], [true], [{ $ne: null }], ['x'.repeat(1025)], ['__proto__'], [''], [undefined], [Number.NaN]])(
    'S1 refuses %p as an id with 400, without a command',
    async (id) => {
      const service = harness.service();
      for (const call of [
        () => service.get(id as never),
        () => service.update(id as never, {}),
        () => service.patch(id as never, {}),
        () => service.remove(id as never),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 400 });
      }
      expect(harness.commands).toEqual([]);
    },
  );

  it('numbers are ids too', async () => {
    const service = harness.service();
    await service.create({ _id: 5, name: 'five' });
    await expect(service.get(5)).resolves.toMatchObject({ name: 'five' });
  });
});

describe('writes', () => {
  it('replace with plain data, and apply operators, in update; merge and apply in patch', async () => {
    const service = harness.service();
    const { _id } = await service.create({ name: 'a', age: 1, tags: ['x'] });
    const id = String(_id);
    expect(await service.update(id, { $inc: { age: 2 }, $push: { tags: 'y' } } as never)).toEqual({
      _id,
      name: 'a',
      age: 3,
      tags: ['x', 'y'],
    });
    expect(await service.patch(id, { name: 'b', $inc: { age: 1 }, $unset: { tags: '' } } as never)).toEqual({ _id, name: 'b', age: 4 });
    expect(await service.patch(id, { age: undefined, name: 'c' } as never)).toEqual({ _id, name: 'c', age: 4 });
    expect(await service.update(id, { name: 'only' })).toEqual({ _id, name: 'only' });
    await expect(service.update(id, { name: 'x', $inc: { age: 1 } } as never)).rejects.toMatchObject({ code: 400 });
  });

  it('never change the id', async () => {
    const service = harness.service();
    const { _id } = await service.create({ name: 'a' });
    for (const data of [{ _id: new ObjectId(), name: 'b' }, { $set: { _id: 5, name: 'b' } }]) {
      expect(await service.patch(String(_id), data as never)).toEqual({ _id, name: 'b' });
    }
    expect(await service.update(String(_id), { _id: 5, name: 'c' })).toEqual({ _id, name: 'c' });
  });

  it('make the record with params.docdb.upsert', async () => {
    const service = harness.service();
    const id = new ObjectId();
    expect(await service.update(id, { name: 'new' }, { docdb: { upsert: true } })).toEqual({ _id: id, name: 'new' });
    expect(await service.patch('text-id', { name: 'new' }, { docdb: { upsert: true } })).toEqual({ _id: 'text-id', name: 'new' });
  });

  it('need multi for several records', async () => {
    await expect(harness.service().create([{ name: 'a' }])).rejects.toMatchObject({
      code: 405,
      message: 'Can not create multiple entries',
    });
    await expect(harness.service().patch(null, {})).rejects.toMatchObject({ code: 405 });
    await expect(harness.service().remove(null)).rejects.toMatchObject({ code: 405 });
    const service = harness.service({ multi: ['create', 'remove'] });
    await service.create([{ name: 'a' }, { name: 'b' }]);
    await expect(service.patch(null, {})).rejects.toMatchObject({ code: 405 });
    expect(names(await service.remove(null))).toEqual(['a', 'b']);
    await expect(service.update(null, {})).rejects.toMatchObject({
      code: 400,
      message: "You can not replace multiple instances. Did you mean 'patch'?",
    });
  });

  it('of several records give back records, ids or a count, and are bounded', async () => {
    const many = { multi: true } as const;
    await harness.service(many).create([
      { name: 'a', age: 1 },
      { name: 'b', age: 1 },
      { name: 'c', age: 2 },
    ]);
    expect(names(await harness.service(many).patch(null, { age: 5 }, { query: { age: 1, $sort: { name: -1 } } }))).toEqual(['b', 'a']);
    expect(await harness.service({ ...many, returning: 'ids' }).patch(null, { age: 6 }, { query: { age: 5 } })).toEqual([
      { _id: expect.any(ObjectId) },
      { _id: expect.any(ObjectId) },
    ]);
    expect(await harness.service({ ...many, returning: 'count' }).remove(null, { query: { age: 6 } })).toEqual({ count: 2 });
    await expect(harness.service({ ...many, maxMulti: 0 }).remove(null)).rejects.toThrow(/More than 0 records match.*'maxMulti'/);
    expect(await harness.service().find()).toHaveLength(1);
  });
});

describe('writes to several records with an id of their own', () => {
  it('give back the ids by which calls know them, and no other where it is not asked for', async () => {
    const many = { multi: true, id: 'name' } as const;
    await harness.service(many).create([{ name: 'a' }, { name: 'b' }]);
    const ids = harness.service({ ...many, returning: 'ids' });
    expect(await ids.patch(null, { age: 1 }, { query: { name: { $ne: 'b' } } })).toEqual([{ name: 'a' }]);
    const query = { name: 'a', $select: ['age'] };
    expect(await harness.service(many).patch(null, { age: 2 }, { query })).toEqual([{ name: 'a', age: 2 }]);
    expect(await harness.service(many).remove(null, { query })).toEqual([{ name: 'a', age: 2 }]);
    expect(await ids.remove(null)).toEqual([{ name: 'b' }]);
    expect(await harness.service(many).find()).toEqual([]);
  });
});

describe('pipelines (interface 4.5)', () => {
  beforeEach(async () => {
    await harness.service({ multi: true }).create(['d', 'b', 'a', 'c'].map((name, index) => ({ name, age: index })));
  });

  it('makeFrameworkPipeline gives $match, $sort, $skip, $limit and $project, and leaves out what has nothing to do', () => {
    const service = harness.service();
    expect(
      service.makeFrameworkPipeline({ query: { age: { $gt: 1 }, $sort: { name: 1 }, $skip: 1, $limit: 2, $select: ['name'] } }),
    ).toEqual([{ $match: { age: { $gt: 1 } } }, { $sort: { name: 1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { name: 1, _id: 1 } }]);
    expect(service.makeFrameworkPipeline({ query: {}, pipeline: [{ $limit: 1 }] })).toEqual([]);
  });

  it('stand after the stages of the query, or around the marker', async () => {
    const service = harness.service();
    const upper = { $addFields: { name: { $toUpper: '$name' } } };
    expect(names(await service.find({ query: { $sort: { name: 1 }, $limit: 2 }, pipeline: [upper] }))).toEqual(['A', 'B']);
    expect(
      names(await service.find({ query: { name: { $in: ['A', 'C'] }, $sort: { name: -1 } }, pipeline: [upper, { $framework: {} }] })),
    ).toEqual(['C', 'A']);
    const [counted] = (await service.find({
      query: { age: { $gt: 0 } },
      pipeline: [{ $framework: {} }, { $count: 'n' }],
    })) as unknown as Document[];
    expect(counted).toEqual({ n: 3 });
  });

  it('that the database does not know are a fault of the application, and not of its callers', async () => {
    const service = harness.service();
    const pipeline = [{ $mach: {} }];
    for (const call of [() => service.find({ pipeline }), () => service.get('a', { pipeline })])
      await expect(call()).rejects.toMatchObject({ code: 500, cause: { code: 40324 } });
    await expect(service.find({ pipeline: { $match: {} } as never })).rejects.toThrow('params.pipeline is a list of stages');
  });

  it('page and count what the pipeline gives, and work with get', async () => {
    const service = harness.service({ paginate: { default: 1 } });
    const page = await service.find({ query: { $sort: { name: 1 } }, pipeline: [{ $match: { age: { $gt: 0 } } }, { $framework: {} }] });
    expect(page).toMatchObject({ total: 3, data: [{ name: 'a' }] });
    const [first] = (await service.find({ paginate: false })) as { _id: ObjectId }[];
    expect(await service.get(String(first?._id), { pipeline: [{ $addFields: { extra: 1 } }] })).toMatchObject({ extra: 1 });
  });

  it('begin with the stages of a subclass, which find, its total and get then keep to', async () => {
    class Scoped extends DocDbService {
      override makeFrameworkPipeline(params?: DocDbParams): Document[] {
        return [{ $match: { age: { $lt: 2 } } }, ...super.makeFrameworkPipeline(params)];
      }
    }
    const service = new Scoped({ Model: await harness.service().getModel(), paginate: { default: 1, max: 5 } });
    const pipeline = [{ $addFields: { extra: 1 } }];
    const all = (await service.find({ paginate: false })) as { _id: ObjectId; age: number }[];
    expect(all).toHaveLength(4);
    expect(await service.find({ query: { $sort: { name: -1 }, $skip: 1 }, pipeline })).toMatchObject({
      total: 2,
      skip: 1,
      data: [{ age: 1, extra: 1 }],
    });
    for (const { _id, age } of all) {
      const found = service.get(_id, { pipeline });
      await (age < 2 ? expect(found).resolves.toMatchObject({ age, extra: 1 }) : expect(found).rejects.toMatchObject({ code: 404 }));
    }
  });

  it('find uses aggregateRaw with a pipeline and findRaw without one, a subclass’s too', async () => {
    const used: string[] = [];
    class Watched extends DocDbService {
      override async findRaw(params?: DocDbParams) {
        used.push('findRaw');
        return super.findRaw(params);
      }
      override async aggregateRaw(params?: DocDbParams) {
        used.push('aggregateRaw');
        return super.aggregateRaw(params);
      }
    }
    const { Model } = harness.service().options;
    const service = framework()
      .use('watched', new Watched({ Model, paginate: { default: 1 }, cursors: true }))
      .service('watched');
    await harness.service().create({ name: 'only' });
    harness.commands.length = 0;
    expect(await service.find({ query: { name: 'only' } })).toMatchObject({ total: 1, data: [{ name: 'only' }] });
    expect(await service.find({ query: { name: 'only' }, pipeline: [{ $set: { b: 1 } }], paginate: false })).toMatchObject([
      { name: 'only', b: 1 },
    ]);
    expect(used).toEqual(['findRaw', 'aggregateRaw']);
    expect(harness.commands.map((command) => Object.keys(command)[0]).sort()).toEqual(['aggregate', 'aggregate', 'find']);
  });

  it('find and aggregate give raw cursors', async () => {
    const service = harness.service();
    const cursor = await service.findRaw({ query: { age: { $lt: 2 }, $sort: { age: 1 } } });
    expect(names(await cursor.toArray())).toEqual(['d', 'b']);
    const aggregation = await service.aggregateRaw({ query: { age: 3 }, pipeline: [{ $project: { name: 1 } }] });
    expect(names(await aggregation.toArray())).toEqual(['c']);
    harness.commands.length = 0;
    await service.find({ query: {} });
    expect(Object.keys(harness.commands[0] as Document)[0]).toBe('find');
  });
});

describe('collation (interface 4.5)', () => {
  it('works for find, get, patch, remove, the count, sorting and $gte', async () => {
    const service = harness.service({ multi: true });
    await service.create(['a', 'B', 'c', 'D'].map((name) => ({ name })));
    const collation = { locale: 'en', strength: 1 };
    expect(names(await service.find({ query: { $sort: { name: 1 } }, collation }))).toEqual(['a', 'B', 'c', 'D']);
    expect(names(await service.find({ query: { name: { $gte: 'b' }, $sort: { name: 1 } }, collation }))).toEqual(['B', 'c', 'D']);
    expect(await service.find({ query: { name: 'b' }, collation, paginate: { default: 5 } })).toMatchObject({ total: 1 });
    expect(names(await service.find({ query: { name: 'A' }, docdb: { collation } }))).toEqual(['a']);
    expect(names(await service.patch(null, { seen: true }, { query: { name: 'd' }, collation }))).toEqual(['D']);
    expect(names(await service.remove(null, { query: { name: { $gte: 'C' } }, collation })).sort()).toEqual(['D', 'c']);
  });
});

describe('transactions (interface 4.5)', () => {
  it('take part by params.docdb.session, over several services', async () => {
    const people = harness.service();
    const other = new DocDbService({ Model: harness.database.db.collection('other') });
    await expect(
      transaction(harness.database.client, async (session) => {
        const docdb = { session };
        await people.create({ name: 'a' }, { docdb });
        await other.create({ name: 'b' }, { docdb });
        expect(await people.find({ docdb })).toHaveLength(1);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await people.find()).toEqual([]);
    expect(await other.find()).toEqual([]);
    await transaction(harness.database.client, async (session) => {
      await people.create({ name: 'a' }, { docdb: { session } });
    });
    expect(await people.find()).toHaveLength(1);
  });

  it('are one line as a hook', async () => {
    const app = framework().use('people', harness.service());
    app.service('people').hooks({
      around: { create: [transactionHook(harness.database.client) as never] },
      after: {
        create: [
          async (context) => {
            await harness.service().create({ name: 'log' }, { docdb: (context.params as { docdb?: DriverOptions }).docdb ?? {} });
            if (context.data && (context.data as { fail?: boolean }).fail) throw new Error('no');
          },
        ],
      },
    });
    await expect(app.service('people').create({ name: 'a', fail: true })).rejects.toThrow('no');
    expect(await harness.service().find()).toEqual([]);
    await app.service('people').create({ name: 'a' });
    expect(await harness.service().find()).toHaveLength(2);
  });

  it('try again as a hook too, with the context as it was', async () => {
    const service = harness.service();
    const { _id } = await service.create({ name: 'n', age: 0 });
    const app = framework().use('people', harness.service());
    let attempts = 0;
    app.service('people').hooks({
      around: { patch: [transactionHook(harness.database.client) as never] },
      before: {
        patch: [
          async (context) => {
            attempts += 1;
            const found = await harness.service().get(String(_id), { docdb: (context.params as { docdb: DriverOptions }).docdb });
            expect(context.data).toEqual({});
            context.data = { age: (found.age as number) + 1 };
          },
        ],
      },
    });
    const patched: unknown[] = [];
    app.service('people').on('patched', (record) => patched.push(record));
    await Promise.all(Array.from({ length: 5 }, () => app.service('people').patch(String(_id), {})));
    await expect(service.get(String(_id))).resolves.toMatchObject({ age: 5 });
    expect(attempts).toBeGreaterThan(5);
    expect(patched).toHaveLength(5);
  });

  it('try again by themselves when another one was in the way', async () => {
    const service = harness.service();
    const { _id } = await service.create({ name: 'n', age: 0 });
    await Promise.all(
      Array.from({ length: 5 }, () =>
        transaction(harness.database.client, async (session) => {
          const found = await service.get(String(_id), { docdb: { session } });
          await service.patch(String(_id), { age: (found.age as number) + 1 }, { docdb: { session } });
        }),
      ),
    );
    await expect(service.get(String(_id))).resolves.toMatchObject({ age: 5 });
  });
});

describe('operators of the database (interface 4.5)', () => {
  it('are there when the service lists them', async () => {
    await harness.service({ multi: true }).create([{ name: 'Ann Lee' }, { name: 'Bob' }]);
    await expect(harness.service().find({ query: { name: { $regex: '^ann', $options: 'i' } } })).rejects.toMatchObject({ code: 400 });
    const service = harness.service({ operators: ['$regex', '$options'], filters: ['$search'] });
    expect(names(await service.find({ query: { name: { $regex: '^ann', $options: 'i' } } }))).toEqual(['Ann Lee']);
    await harness.database.db.collection('people').createIndexes([{ key: { name: 'text' } }]);
    expect(names(await service.find({ query: { $search: 'lee' } }))).toEqual(['Ann Lee']);
  });
});

describe('counting', () => {
  it('is exact, estimated only for an empty filter, capped or left out', async () => {
    const service = (options: object) => harness.service({ multi: true, paginate: { default: 1 }, ...options });
    await service({}).create([{ name: 'a' }, { name: 'b' }, { name: 'b' }]);
    expect(await service({}).find({ query: { name: 'b' } })).toMatchObject({ total: 2 });
    harness.commands.length = 0;
    expect(await service({ useEstimatedDocumentCount: true }).find()).toMatchObject({ total: 3 });
    expect(harness.commands.map((command) => Object.keys(command)[0])).toContain('count');
    expect(await service({ useEstimatedDocumentCount: true }).find({ query: { name: 'b' } })).toMatchObject({ total: 2 });
    expect(await service({ total: { upTo: 1 } }).find()).toMatchObject({ total: 1, capped: true });
    expect(await service({ total: { upTo: 3 } }).find()).not.toHaveProperty('capped');
    expect(await service({}).find({ adapter: { total: { upTo: 2 } } })).toMatchObject({ total: 2, capped: true });
    expect(await service({ total: 'estimated' }).find()).toMatchObject({ total: 3 });
    expect(await service({ total: 'estimated' }).find({ query: { name: 'b' } })).toMatchObject({ total: 2 });
    expect(await service({ total: 'none' }).find()).toMatchObject({ total: -1 });
  });
});

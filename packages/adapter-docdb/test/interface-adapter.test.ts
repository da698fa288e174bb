import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(async () => {
  await harness.reset();
  await harness.service({ multi: true }).create(['b', 'A', 'c'].map((name, age) => ({ name, age })));
  harness.commands.length = 0;
});

const names = (records: unknown): string[] => (records as { name: string }[]).map((record) => record.name);
const sent = (): unknown[] => harness.commands.map((command) => Object.keys(command)[0]);
/** The stages of the only aggregation. */
const stages = (): string[] => {
  const [command] = harness.commands.filter((each) => 'aggregate' in each);
  return (command?.pipeline as Document[]).map((stage) => String(Object.keys(stage)[0]));
};

describe('records', () => {
  it('1#10 a record of the service is a document of its collection', async () => {
    await harness.service().create({ name: 'stored' });
    expect(await harness.database.db.collection('people').countDocuments({ name: 'stored' })).toBe(1);
  });

  it('2.5#6 the id is the property that the option id names, and _id by default', async () => {
    const service = harness.service({ id: 'name' });
    await expect(service.get('A')).resolves.toMatchObject({ name: 'A', age: 1 });
    expect([service.id, harness.service().id]).toEqual(['name', '_id']);
  });
});

describe('pages', () => {
  it('2.3#1 a page has the count of all matching records as total, and its records as data', async () => {
    const page = await harness.service({ paginate: { default: 1 } }).find({ query: { age: { $gt: 0 } } });
    expect(page).toMatchObject({ total: 2, data: [{ name: 'A' }] });
  });

  it('2.3#2 a page says which limit and skip it was cut by', async () => {
    const service = harness.service({ paginate: { default: 2, max: 3 } });
    expect(await service.find()).toMatchObject({ limit: 2, skip: 0, data: [{}, {}] });
    expect(await service.find({ query: { $limit: 10, $skip: 1 } })).toMatchObject({ limit: 3, skip: 1, data: [{}, {}] });
    expect(await service.find({ query: { $limit: 0 } })).toMatchObject({ limit: 0, skip: 0, data: [] });
  });

  it('2.3#3 without paging, in the call or in the options, the result is a list', async () => {
    expect(await harness.service({ paginate: { default: 1 } }).find({ paginate: false })).toHaveLength(3);
    expect(await harness.service().find()).toHaveLength(3);
  });

  it('2.5#7 paginate has a default and a largest size', async () => {
    const service = harness.service({ paginate: { default: 1, max: 2 } });
    expect(await service.find()).toMatchObject({ limit: 1, data: [{}] });
    expect(await service.find({ query: { $limit: 50 } })).toMatchObject({ limit: 2, data: [{}, {}] });
  });
});

describe('raw cursors and pipelines', () => {
  it('4.5#2 aggregateRaw gives the cursor of an aggregation', async () => {
    const cursor = await harness.service().aggregateRaw({ query: { age: 1 }, pipeline: [{ $set: { seen: true } }] });
    expect(await cursor.toArray()).toMatchObject([{ name: 'A', seen: true }]);
    expect(sent()).toEqual(['aggregate']);
  });

  it('4.5#3 findRaw gives the cursor of a find', async () => {
    expect(names(await (await harness.service().findRaw({ query: { age: 1 } })).toArray())).toEqual(['A']);
    expect(sent()).toEqual(['find']);
  });

  it('4.5#9 find sends an aggregation when there is a pipeline, and a find otherwise', async () => {
    await harness.service().find({ pipeline: [{ $limit: 1 }] });
    await harness.service().find();
    expect(sent()).toEqual(['aggregate', 'find']);
  });

  it('4.5#10 the stages of a query are $match, $sort, $skip and $limit, in this order', async () => {
    await harness.service().find({ query: { $limit: 1, $skip: 1, $sort: { age: 1 }, age: { $gte: 0 } }, pipeline: [{ $set: { a: 1 } }] });
    expect(stages().slice(0, 4)).toEqual(['$match', '$sort', '$skip', '$limit']);
  });

  it('4.5#11 the stages of the pipeline come after those of the query', async () => {
    await harness.service().find({ query: { age: 1 }, pipeline: [{ $set: { a: 1 } }, { $unset: 'a' }] });
    expect(stages()).toEqual(['$match', '$set', '$unset']);
  });

  it('4.5#12 the stages of the query stand where the marker is', async () => {
    await harness.service().find({ query: { age: 1 }, pipeline: [{ $set: { a: 1 } }, { $framework: {} }, { $unset: 'a' }] });
    expect(stages()).toEqual(['$set', '$match', '$unset']);
  });

  it('4.5#13 a query at the marker sees what the stages before it made', async () => {
    const doubled = { $set: { double: { $multiply: ['$age', 2] } } };
    const found = await harness.service().find({ query: { double: 4 }, pipeline: [doubled, { $framework: {} }] });
    expect(names(found)).toEqual(['c']);
  });

  it('4.5#14 all stages are in one command to the database', async () => {
    await harness.service().find({ query: { age: 1 }, pipeline: [{ $group: { _id: '$name' } }], paginate: false });
    expect(sent()).toEqual(['aggregate']);
    expect(stages()).toEqual(['$match', '$group']);
  });

  it('a write refuses a pipeline, whose conditions it could not keep, and sends nothing', async () => {
    const service = harness.service({ multi: true });
    const [{ _id: id } = {}] = (await service.find()) as Document[];
    harness.commands.length = 0;
    const params = { pipeline: [{ $match: { name: 'nobody' } }] };
    const writes: [string, () => Promise<unknown>][] = [
      ['update', () => service.update(id, { name: 'x' }, params)],
      ['patch', () => service.patch(id, { name: 'x' }, params)],
      ['patch', () => service.patch(null, { name: 'x' }, params)],
      ['remove', () => service.remove(id, params)],
      ['remove', () => service.remove(null, params)],
    ];
    for (const [method, write] of writes)
      await expect(write()).rejects.toThrow(`params.pipeline is for find and get, and not for ${method}`);
    expect(sent()).toEqual([]);
    expect(await service.patch(id, { name: 'y' }, { pipeline: [] })).toMatchObject({ name: 'y' });
  });

  it('4.5#16 $unwind, $addFields and $replaceRoot are stages like any other', async () => {
    const pipeline = [{ $addFields: { list: ['x', 'y'] } }, { $unwind: '$list' }, { $replaceRoot: { newRoot: { item: '$list' } } }];
    expect(await harness.service().find({ query: { age: 1 }, pipeline })).toEqual([{ item: 'x' }, { item: 'y' }]);
  });

  it('4.5#18 find takes query, pipeline and paginate: false together', async () => {
    const service = harness.service({ paginate: { default: 1 } });
    const found = await service.find({ query: { $sort: { age: -1 } }, pipeline: [{ $project: { name: 1 } }], paginate: false });
    expect(names(found)).toEqual(['c', 'A', 'b']);
  });
});

describe('collation', () => {
  const collation = { locale: 'en', strength: 2 };

  it('4.5#19 is the object of the database, and is sent as it is', async () => {
    await harness.service().find({ collation });
    expect(harness.commands[0]).toMatchObject({ find: 'people', collation });
  });

  it('4.5#20 stands beside the query of find, patch and remove', async () => {
    const service = harness.service({ multi: true });
    const query = { name: 'a' };
    expect(names(await service.find({ query, collation }))).toEqual(['A']);
    expect(names(await service.patch(null, { age: 9 }, { query, collation }))).toEqual(['A']);
    expect(names(await service.remove(null, { query, collation }))).toEqual(['A']);
  });

  it('4.5#21 orders and compares by language, so that case does not matter', async () => {
    const service = harness.service();
    expect(names(await service.find({ query: { name: { $gte: 'B' }, $sort: { name: 1 } }, collation }))).toEqual(['b', 'c']);
    expect(names(await service.find({ query: { $sort: { name: 1 } } }))).toEqual(['A', 'b', 'c']);
    expect(names(await service.find({ query: { name: { $gte: 'B' }, $sort: { name: -1 } } }))).toEqual(['c', 'b']);
  });
});

describe('operators of the database', () => {
  it('4.5#7 $regex with $options matches by a regular expression and its flags', async () => {
    const service = harness.service({ operators: ['$regex', '$options'] });
    expect(names(await service.find({ query: { name: { $regex: '^a', $options: 'i' } } }))).toEqual(['A']);
    expect(names(await service.find({ query: { name: { $regex: '^a' } } }))).toEqual([]);
  });

  it('4.5#8 $search finds by the text index of the collection', async () => {
    await harness.service().create({ name: 'green tea' });
    await harness.database.db.collection('people').createIndexes([{ key: { name: 'text' } }]);
    expect(names(await harness.service({ filters: ['$search'] }).find({ query: { $search: 'tea' } }))).toEqual(['green tea']);
  });

  it('4.5#5 update takes update operators', async () => {
    const service = harness.service();
    const [first] = (await service.find({ query: { name: 'b' } })) as unknown as { _id: string }[];
    expect(await service.update(String(first?._id), { $inc: { age: 5 } } as never)).toMatchObject({ name: 'b', age: 5 });
  });
});

describe('transactions', () => {
  it('4.5#23 calls with the session of an aborted transaction leave nothing behind', async () => {
    const service = harness.service();
    const session = harness.database.client.startSession();
    try {
      await session.withTransaction(async () => {
        await service.create({ name: 'inside' }, { docdb: { session } });
        expect(names(await service.find({ query: { name: 'inside' }, docdb: { session } }))).toEqual(['inside']);
        await session.abortTransaction();
      });
    } finally {
      await session.endSession();
    }
    expect(await service.find({ query: { name: 'inside' } })).toEqual([]);
  });
});

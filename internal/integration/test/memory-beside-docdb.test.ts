import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
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
beforeEach(async () => {
  const collection = database.db.collection('beside');
  await collection.deleteMany({});
  const options = { id: '_id', multi: true, paginate: { default: 50, max: 50 }, cursors: true } as const;
  docdb = new DocDbService({ Model: collection, ...options });
  both = [docdb as unknown as Service, new MemoryService(options)];
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

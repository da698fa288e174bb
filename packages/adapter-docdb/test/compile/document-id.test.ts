import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from 'mongodb';
import { startHarness, type ServiceHarness } from '../harness.ts';

const TEXT = '0123abcd-4567-489a-9bcd-0123456789ab';

describe('ids that are values of the database', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  it.each([
    ['a UUID', () => new UUID(TEXT)],
    ['bytes', () => new Binary(Buffer.from('ab'))],
    ['a decimal number', () => Decimal128.fromString('1.5')],
    ['a long number', () => Long.fromString('9007199254740993')],
    ['a whole number of 64 bits', () => 9_007_199_254_740_993n],
    ['a short number', () => new Int32(5)],
    ['a double', () => new Double(5.5)],
  ])('are ids of all calls: %s', async (_name, make) => {
    const service = harness.service();
    await service.create({ _id: 'other', name: 'b' });
    await service.create({ _id: make(), name: 'a', age: 1 });
    const id = make() as never;
    expect(await service.get(id)).toMatchObject({ name: 'a', age: 1 });
    expect(await service.patch(id, { age: 2 })).toMatchObject({ name: 'a', age: 2 });
    expect(await service.update(id, { name: 'c' })).toEqual({ _id: (await service.get(id))._id, name: 'c' });
    expect(await service.remove(id)).toMatchObject({ name: 'c' });
    await expect(service.get(id)).rejects.toMatchObject({ code: 404 });
    expect(await service.find()).toEqual([{ _id: 'other', name: 'b' }]);
  });

  it('may be made by a hook of the text that a caller sends', async () => {
    const app = framework().use('people', harness.service());
    app.service('people').hooks({
      before: {
        all: [
          (context) => {
            if (typeof context.id === 'string') context.id = new UUID(context.id) as never;
          },
        ],
        create: [
          ({ data }) => {
            Object.assign(data as Document, { _id: new UUID(TEXT) });
          },
        ],
      },
    });
    const outside = { provider: 'rest' };
    await app.service('people').create({ name: 'a' }, outside);
    expect(JSON.stringify(await app.service('people').get(TEXT, outside))).toBe(JSON.stringify({ _id: TEXT, name: 'a' }));
    expect(await app.service('people').patch(TEXT, { name: 'b' }, outside)).toMatchObject({ name: 'b' });
  });

  it.each([
    ['a pattern', new BSONRegExp('a')],
    ['a pattern of JavaScript', /a/],
    ['code', new Code('a')],
    ['what is below everything', new MinKey()],
    ['what is above everything', new MaxKey()],
    ['a time of the log', new Timestamp({ t: 1, i: 1 })],
    ['plain data that look like one', { _bsontype: 'Binary', sub_type: 0 }],
    ['a copy of one', { ...new UUID(TEXT), _bsontype: 'Binary' }],
    ['bytes that are none of the database', Buffer.from('a')],
    ['a map', new Map()],
  ])('are no others: %s', async (_name, id) => {
    const service = harness.service();
    const { _id } = await service.create({ _id: new ObjectId(), name: 'a' });
    const refused = { code: 400, message: expect.stringMatching(/^Invalid id/) as unknown };
    await expect(service.get(id as never)).rejects.toMatchObject(refused);
    await expect(service.patch(id as never, { name: 'b' })).rejects.toMatchObject(refused);
    await expect(service.update(id as never, { name: 'b' })).rejects.toMatchObject(refused);
    await expect(service.remove(id as never)).rejects.toMatchObject(refused);
    expect(await service.find()).toEqual([{ _id, name: 'a' }]);
  });

  it('are no whole numbers of more than 64 bits, of which the driver would take the last ones', async () => {
    const service = harness.service();
    await service.create({ _id: 5n });
    const call = service.get(2n ** 64n + 5n);
    await expect(call).rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^18446744073709551621 can not be compared/) });
  });

  it('are told from each other in all their digits, where some of several records went to another owner meanwhile', async () => {
    const collection = harness.database.db.collection('people');
    const [one, two] = [Long.fromString('9007199254740993'), Long.fromString('9007199254740992')];
    const Model = new Proxy(collection, {
      get(target, name: keyof typeof collection) {
        if (name !== 'deleteMany') return Reflect.get(target, name, target) as unknown;
        return async (...args: Parameters<typeof collection.deleteMany>) => {
          await target.updateOne({ _id: two } as Document, { $set: { name: 'b' } });
          return target.deleteMany(...args);
        };
      },
    });
    const service = harness.service({ Model, multi: true });
    await service.create([
      { _id: one, name: 'a' },
      { _id: Long.fromString('9007199254740994'), name: 'b' },
      { _id: two, name: 'a' },
    ]);
    expect(await service.remove(null, { query: { name: 'a' } })).toEqual([{ _id: one, name: 'a' }]);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import { DocDbService, type DocDbServiceOptions } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());

/** Positions of what a method of the driver selects documents with. */
const FILTERED = [
  'find',
  'findOne',
  'count',
  'countDocuments',
  'updateMany',
  'deleteMany',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'aggregate',
  'distinct',
  'updateOne',
  'deleteOne',
  'replaceOne',
  'bulkWrite',
];

/** The driver's collection, which notes every filter and pipeline that it is given. */
function wrapped(collection: Collection, seen: unknown[]): Collection {
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (FILTERED.includes(String(name))) seen.push(args[0]);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

function operatorsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const entry of value) operatorsIn(entry, found);
  else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [name, inner] of Object.entries(value)) {
      if (name.startsWith('$')) found.add(name);
      operatorsIn(inner, found);
    }
  }
  return found;
}

const OWN = [
  '$in',
  '$nin',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$ne',
  '$eq',
  '$or',
  '$and',
  '$type',
  '$match',
  '$sort',
  '$skip',
  '$limit',
  '$project',
  '$group',
  '$sum',
  '$count',
];

it('S4 no filter that was not checked reaches the driver, by any method, from inside or outside', async () => {
  const seen: unknown[] = [];
  const options: Partial<DocDbServiceOptions> = { multi: true, paginate: { default: 5 }, cursors: true, hidden: ['secret'] };
  const service = new DocDbService({ Model: wrapped(harness.database.db.collection('people'), seen), ...options });
  const made = (await service.create([
    { name: 'a', n: 1 },
    { name: 'b', n: 2 },
  ])) as { _id: unknown }[];
  const id = String(made[0]?._id);
  const methods = (query: object, provider: string | undefined): (() => Promise<unknown>)[] => {
    const params = () => ({ query: { ...query }, provider }) as never;
    return [
      () => service.find(params()),
      () => service.find({ ...(params() as object), pipeline: [] } as never),
      () => service.get(id, params()),
      () => service.get(id, { ...(params() as object), pipeline: [] } as never),
      () => service.create({ name: 'x' }, params()),
      () => service.update(id, { name: 'x' }, params()),
      () => service.patch(id, { name: 'x' }, params()),
      () => service.patch(null, { name: 'x' }, params()),
      () => service.remove(id, params()),
      () => service.remove(null, params()),
      () => service._find(params()),
      () => service._patch(null, {}, params()),
      async () => (await service.findRaw(params())).toArray(),
      async () => (await service.aggregateRaw(params())).toArray(),
    ];
  };
  const unchecked = [
    { $where: 'true' },
    { $expr: { $eq: [1, 1] } },
    { $or: [{ $where: '1' }] },
    { name: { $regex: '.*' } },
    { name: { $not: { $eq: 1 } } },
    { name: [{ $gt: '' }] },
    { name: { a: { $gt: '' }, $exists: true } },
    { 'a.$where': 1 },
    JSON.parse('{"__proto__":{"$where":"1"}}') as object,
    { constructor: 1 },
    { $and: { 0: { $where: 1 } } },
    { n: { $in: [{ $gt: 1 }] } },
    { $select: [{ $where: 1 }] },
    { $sort: { $where: 1 } },
  ];
  seen.length = 0;
  for (const query of unchecked) {
    for (const provider of ['rest', undefined]) {
      for (const call of methods(query, provider)) await expect(call()).rejects.toMatchObject({ code: 400 });
    }
  }
  expect(seen).toEqual([]);
  const checked = [
    { n: { $gt: 0, $lte: 5 } },
    { $or: [{ n: 1 }, { name: { $in: ['a'] } }] },
    { $and: [{ n: { $ne: 9 } }], $sort: { n: 1 } },
  ];
  for (const query of checked) for (const call of methods(query, 'rest')) await call().catch(() => undefined);
  expect(seen.length).toBeGreaterThan(20);
  expect([...operatorsIn(seen)].filter((name) => !OWN.includes(name))).toEqual([]);
});

import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { Random, Variety } from '@framework-internal/random';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const SEED = Number(process.env.SORT_SEED ?? 20261126);
const ROUNDS = Number(process.env.SORT_RUNS ?? 60);

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

/** What is asked of both adapters. */
interface Sorted {
  find(params: object): Promise<{ readonly _id: unknown }[]>;
}

const LEAVES: readonly unknown[] = [null, 1, 2, 'a', true, { b: 1 }, { b: 2, c: 0 }, { b: [1, 3] }, { 1: 5 }];
const NAMES = ['a', 'c', 'a.b', 'a.c', 'c.b', 'a.0', 'a.1', 'a.0.b', 'c.7'];

function value(random: Random, depth = 0): unknown {
  const kind = random.below(5);
  if (depth > 2 || kind < 2) return random.pick(LEAVES);
  if (kind < 4) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return Object.fromEntries(['b', 'c'].filter(() => !random.oneIn(4)).map((name) => [name, value(random, depth + 1)]));
}

it('records with lists in sort keys have the same order in memory and in the database', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  for (let round = 0; round < ROUNDS; round++) {
    const options = { id: '_id', multi: true, paginate: false } as const;
    const docdb = new DocDbService({ Model: database.db.collection(`sorted${round}`) as never, ...options });
    const memory = new MemoryService(options);
    const records = Array.from({ length: 12 }, (_none, at) => ({ _id: at as never, a: value(random), c: value(random) }));
    await docdb.create(records as never);
    await memory.create(records as never);
    for (let query = 0; query < 8; query++) {
      const names = Array.from({ length: 1 + random.below(2) }, () => random.pick(NAMES));
      const $sort = { ...Object.fromEntries(names.map((name) => [name, random.pick([1, -1])])), _id: 1 };
      const of = async (service: Sorted): Promise<unknown> => {
        try {
          return (await service.find({ query: { $sort } })).map(({ _id }) => _id);
        } catch (error) {
          return (error as { readonly code: unknown }).code;
        }
      };
      const told = JSON.stringify({ $sort, records });
      const [wanted, got] = [await of(docdb as unknown as Sorted), await of(memory as unknown as Sorted)];
      expect([told, got]).toEqual([told, wanted]);
      variety.tried(told);
      variety.took(Array.isArray(wanted) ? 'an order' : `refused with ${String(wanted)}`);
    }
  }
  console.log(variety.report('orders by lists', SEED));
  variety.expect(ROUNDS * 7, { 'an order': ROUNDS * 3, 'refused with 400': ROUNDS });
});

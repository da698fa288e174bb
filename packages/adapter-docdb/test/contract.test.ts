import { MemoryService, QueryGenerator, Random, Variety } from '@framework-internal/testing';
import type { Paginated } from '@framework/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startHarness, type ServiceHarness } from './harness.ts';

type Row = Record<string, unknown>;

/** What every adapter does in the same way. */
interface ContractService {
  find(params?: object): Promise<Row[] | Paginated<Row>>;
  get(id: unknown, params?: object): Promise<Row>;
  create(data: Row | Row[], params?: object): Promise<Row | Row[]>;
  update(id: unknown, data: Row, params?: object): Promise<Row>;
  patch(id: unknown, data: Row, params?: object): Promise<Row | Row[]>;
  remove(id: unknown, params?: object): Promise<Row | Row[]>;
}

interface ContractOptions {
  paginate?: { default?: number; max?: number } | false;
  multi?: boolean | string[];
}

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

/** The oracle in memory, and the adapter on the database of this run: the embedded one, or a real server. */
const ADAPTERS: Record<string, (options?: ContractOptions) => ContractService> = {
  'the oracle in memory': (options = {}) => new MemoryService({ id: '_id', startId: 1, ...options }) as unknown as ContractService,
  'DocDbService with _id': (options = {}) => harness.service(options) as unknown as ContractService,
};

const list = async (service: ContractService, query: object): Promise<Row[]> => (await service.find({ query, paginate: false })) as Row[];

describe.each(Object.keys(ADAPTERS))('the contract of adapters: %s', (name) => {
  const make = (options?: ContractOptions): ContractService => ADAPTERS[name]!(options);

  it('create gives the record back with an id, and get finds it', async () => {
    const service = make();
    const made = (await service.create({ name: 'a', n: 1 })) as Row;
    expect(made).toEqual({ _id: made._id, name: 'a', n: 1 });
    expect(await service.get(made._id)).toEqual(made);
    await expect(service.get(999_999)).rejects.toMatchObject({ code: 404 });
  });

  it('create of several needs multi and keeps the order', async () => {
    await expect(make().create([{ n: 1 }])).rejects.toMatchObject({ code: 405 });
    const made = (await make({ multi: true }).create([{ n: 3 }, { n: 1 }, { n: 2 }])) as Row[];
    expect(made.map(({ n }) => n)).toEqual([3, 1, 2]);
  });

  it('update replaces all but the id, and needs one', async () => {
    const service = make();
    const { _id } = (await service.create({ name: 'a', n: 1 })) as Row;
    expect(await service.update(_id, { name: 'b' })).toEqual({ _id, name: 'b' });
    expect(await service.get(_id)).toEqual({ _id, name: 'b' });
    await expect(service.update(null, {})).rejects.toMatchObject({ code: 400 });
    await expect(service.update(999_999, {})).rejects.toMatchObject({ code: 404 });
  });

  it('patch changes what it names, of one or of all that match', async () => {
    const service = make({ multi: true });
    const [first] = (await service.create([
      { k: 1, n: 1 },
      { k: 1, n: 2 },
      { k: 2, n: 3 },
    ])) as [Row];
    expect(await service.patch(first._id, { n: 10 })).toEqual({ ...first, n: 10 });
    const patched = (await service.patch(null, { seen: true }, { query: { k: 1 } })) as Row[];
    expect(patched.map(({ n, seen }) => [n, seen])).toEqual([
      [10, true],
      [2, true],
    ]);
    expect(await list(service, { seen: true })).toHaveLength(2);
    await expect(service.patch(999_999, {})).rejects.toMatchObject({ code: 404 });
    await expect(make().patch(null, {})).rejects.toMatchObject({ code: 405 });
  });

  it('remove gives back what was removed, of one or of all that match', async () => {
    const service = make({ multi: true });
    const [first] = (await service.create([{ k: 1 }, { k: 1 }, { k: 2 }])) as [Row];
    expect(await service.remove(first._id)).toEqual(first);
    expect(await service.remove(null, { query: { k: 1 } })).toHaveLength(1);
    expect(await list(service, {})).toHaveLength(1);
    await expect(service.remove(first._id)).rejects.toMatchObject({ code: 404 });
    await expect(make().remove(null)).rejects.toMatchObject({ code: 405 });
  });

  it('the query restricts every method, and $select works for each', async () => {
    const service = make();
    const made = (await service.create({ k: 1, n: 1, t: 'x' }, { query: { $select: ['n'] } })) as Row;
    expect(made).toEqual({ _id: made._id, n: 1 });
    const other = { query: { k: 2 } };
    for (const call of [
      service.get(made._id, other),
      service.update(made._id, {}, other),
      service.patch(made._id, {}, other),
      service.remove(made._id, other),
    ])
      await expect(call).rejects.toMatchObject({ code: 404 });
    const own = { query: { k: 1, $select: ['t'] } };
    for (const call of [
      () => service.get(made._id, own),
      () => service.patch(made._id, { n: 2 }, own),
      () => service.update(made._id, { k: 1, t: 'x' }, own),
      () => service.remove(made._id, own),
    ])
      expect(await call()).toEqual({ _id: made._id, t: 'x' });
  });

  it('pages have total, limit, skip and data', async () => {
    const service = make({ paginate: { default: 2, max: 3 }, multi: true });
    await service.create(Array.from({ length: 5 }, (_, n) => ({ n })));
    const page = async (query: object): Promise<unknown> => {
      const found = (await service.find({ query: { $sort: { n: 1 }, ...query } })) as Paginated<Row>;
      return [found.total, found.limit, found.skip, found.data.map(({ n }) => n)];
    };
    expect(await page({})).toEqual([5, 2, 0, [0, 1]]);
    expect(await page({ $limit: 10, $skip: 3 })).toEqual([5, 3, 3, [3, 4]]);
    expect(await page({ $limit: 0 })).toEqual([5, 0, 0, []]);
    expect(await page({ n: { $gt: 2 } })).toEqual([2, 2, 0, [3, 4]]);
    expect(await service.find({ paginate: false })).toHaveLength(5);
  });

  it('refuses what is not of the syntax with 400', async () => {
    const service = make();
    for (const query of [
      { $where: 1 },
      { n: { $wrong: 1 } },
      { $limit: -1 },
      { $sort: 'n' },
      { $or: 1 },
      { n: { $in: 1 } },
      { $select: [1] },
      { n: { $gt: { $lt: 1 } } },
    ])
      await expect(service.find({ query })).rejects.toMatchObject({ code: 400 });
  });
});

const SEED = Number(process.env.QUERY_SEED ?? 20_261_121);
/** Queries that both sides answer. */
const QUERIES = 10_000;

it(`answers ${QUERIES} generated queries as the oracle does`, async () => {
  const generator = new QueryGenerator(new Random(SEED));
  const variety = new Variety();
  const rows = generator.records(60);
  await harness.database.db.collection<{ _id: number }>('people').insertMany(rows);
  const service = harness.service({ multi: true }) as unknown as ContractService;
  const oracle = new MemoryService({ id: '_id', store: rows }) as unknown as ContractService;

  for (let count = 0; count < QUERIES; count++) {
    const query = generator.query();
    const told = `seed ${SEED}, ${JSON.stringify(query)}`;
    const expected = (await oracle.find({ query })) as Row[];
    expect([told, await service.find({ query })]).toEqual([told, expected]);
    variety.tried(told);
    for (const [word] of told.matchAll(/\$\w+/g)) variety.took(word);
    variety.took(expected.length === 0 ? 'nothing found' : 'found');
  }
  console.log(variety.report('generated queries', SEED));
  const operators = ['$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$nin', '$or', '$and', '$limit', '$skip', '$select'];
  variety.expect(QUERIES * 0.9, { ...Object.fromEntries(operators.map((name) => [name, 1000])), found: 2500, 'nothing found': 1000 });
}, 300_000);

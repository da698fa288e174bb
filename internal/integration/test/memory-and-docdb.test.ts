import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { Random, Variety } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { QueryGenerator } from '@framework-internal/testing/queries';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

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

const SEED = Number(process.env.CALL_SEED ?? 20_261_122);
const CALLS = Number(process.env.CALL_RUNS ?? 800);
const IDS = 60;

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

/** Cursors of each adapter are its own: what matters is whether there are some. */
function withoutCursors(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('next' in result) || !('previous' in result)) return result;
  const { next, previous } = result;
  return { ...result, next: next === null ? null : typeof next, previous: previous === null ? null : typeof previous };
}

/** What came of a call: its result, or the name and status of its error. */
async function outcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: withoutCursors(await call()) };
  } catch (error) {
    const { name, code } = error as { name: string; code: unknown };
    return { error: [name, code] };
  }
}

describe('the adapter in memory beside the one on the database', () => {
  it.each([
    ['without indexes', []],
    ['with sorted indexes', ['n', 's', 'tags', 'o.x', 'items.k']],
  ])(`gives the same for ${CALLS} random calls, %s`, async (_title, indexes) => {
    const random = new Random(SEED);
    const generator = new QueryGenerator(random, true);
    const variety = new Variety();
    const collection = database.db.collection(`people${indexes.length}`);
    const options = { id: '_id', multi: true, paginate: { default: 5, max: 20 }, cursors: true } as const;
    const docdb = new DocDbService({ Model: collection as never, ...options }) as unknown as Service;
    const memory = new MemoryService({ ...options, indexes }) as unknown as Service;
    let [cursors, own]: [Row, Row] = [{}, {}];
    // The database keeps what it has inserted before a duplicate: only the first may be one.
    let made = 0;

    const make = (): [string, (service: Service, cursors: Row) => Promise<unknown>] => {
      const id = random.below(IDS);
      const another = IDS + made++;
      const paging = random.oneIn(2) ? { paginate: false } : {};
      const { $sort, ...query } = generator.query();
      const { $limit: _limit, $skip: _skip, ...conditions } = query;
      const params = { query: random.oneIn(3) ? conditions : {} };
      const data = random.oneIn(3) ? { ...generator.data() } : { n: random.below(5) };
      switch (random.below(9)) {
        case 0:
        case 1:
          return [`create ${JSON.stringify([id, data])}`, (service) => service.create({ _id: id, ...data })];
        case 2:
          return [
            `create several ${id}`,
            (service) =>
              service.create([
                { _id: id, ...data },
                { _id: another, n: 1 },
              ]),
          ];
        case 3:
          return [`get ${id} ${JSON.stringify(params)}`, (service) => service.get(id, params)];
        case 4:
          return [`update ${id} ${JSON.stringify([data, params])}`, (service) => service.update(id, data, params)];
        case 5: {
          const change = random.oneIn(4) ? { 'o.x': random.below(4), 'deep.er': 1 } : data;
          return [`patch ${id} ${JSON.stringify([change, params])}`, (service) => service.patch(id, change, params)];
        }
        case 6:
          return random.oneIn(3)
            ? [
                `patch all ${JSON.stringify([$sort, conditions])}`,
                (service) => service.patch(null, { seen: another % 3 }, { query: { ...conditions, $sort } }),
              ]
            : [`remove ${id}`, (service) => service.remove(id, params)];
        case 7:
          return [
            `cursors ${JSON.stringify([$sort, conditions])}`,
            async (service, known) => {
              const page = (await service.find({ query: { ...conditions, $sort: { n: 1, _id: 1 }, $limit: 3, ...known } })) as Row;
              if (typeof page.next === 'string') known.$after = page.next;
              else delete known.$after;
              return page;
            },
          ];
        default:
          return [`find ${JSON.stringify({ ...query, $sort })}`, (service) => service.find({ query: { ...query, $sort }, ...paging })];
      }
    };

    for (let count = 0; count < CALLS; count++) {
      const [told, call] = make();
      if (!told.startsWith('cursors')) [cursors, own] = [{}, {}];
      const expected = await outcome(() => call(docdb, cursors));
      expect([SEED, told, await outcome(() => call(memory, own))]).toEqual([SEED, told, expected]);
      variety.tried(told);
      variety.took(told.split(' ')[0] ?? '');
      variety.took(JSON.stringify((expected as { error?: unknown }).error ?? 'done'));
    }
    console.log(variety.report('calls of both adapters', SEED));
    variety.expect(CALLS / 3, {
      create: CALLS / 5,
      find: CALLS / 15,
      get: CALLS / 15,
      update: CALLS / 15,
      patch: CALLS / 12,
      remove: CALLS / 20,
      cursors: CALLS / 15,
      '["NotFound",404]': CALLS / 20,
      '["Conflict",409]': CALLS / 20,
    });
  });

  it.each(['memory', 'database'])('does not store a date that is none, nor look for one: %s', async (kind) => {
    const service = (kind === 'memory'
      ? new MemoryService({ id: '_id', multi: true })
      : new DocDbService({ Model: database.db.collection('dates') as never, multi: true })) as unknown as Service;
    const none = new Date('yesterday');
    await service.create({ _id: 1, at: new Date(0) });
    const calls = [
      service.create({ at: none }),
      // A hook may have made it of what a caller sent.
      service.create([{ inside: [{ at: none }] }], { provider: 'rest' }),
      service.update(1, { at: none }),
      service.patch(1, { at: none }),
      service.find({ query: { at: { $lte: none } } }),
      service.remove(null, { query: { at: { $in: [none] } } }),
    ];
    for (const call of calls) expect(await outcome(() => call)).toEqual({ error: ['BadRequest', 400] });
    expect(await service.find()).toEqual([{ _id: 1, at: new Date(0) }]);
  });
});

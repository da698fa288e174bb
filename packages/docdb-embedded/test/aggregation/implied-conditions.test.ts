import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { type Collection, Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.IMPLIED_SEED ?? 20261201);
const ROUNDS = Number(process.env.IMPLIED_ROUNDS ?? 40);
const QUERIES = 12;
const MANY = 500;

let harness: Harness;
let items: Collection<Document & { _id: number }>;
beforeAll(async () => {
  harness = await start();
  items = harness.db.collection('items');
  await items.createIndexes([{ key: { n: 1 } }, { key: { at: 1 } }]);
  await items.insertMany(Array.from({ length: MANY }, (_none, n) => ({ _id: n, n, at: new Date(n) })));
});
afterAll(() => harness.stop());

/** @returns how many documents are looked at while something is done */
async function examined(work: () => Promise<unknown>): Promise<number> {
  const seen = async (): Promise<number> => {
    const { metrics } = await harness.db.command({ serverStatus: 1 }, { promoteLongs: true });
    return Number((metrics as { queryExecutor: { scannedObjects: number } }).queryExecutor.scannedObjects);
  };
  const before = await seen();
  await work();
  return (await seen()) - before;
}

describe('what $expr compares with a value is found by an index', () => {
  it.each<[string, Document, number]>([
    ['equality', { $expr: { $eq: ['$n', 7] } }, 1],
    ['equality, the value first', { $expr: { $eq: [7, '$n'] } }, 1],
    ['an id', { $expr: { $eq: ['$_id', { $literal: 7 }] } }, 1],
    ['one of a list', { $expr: { $in: ['$_id', [3, 5, 9]] } }, 3],
    ['below', { $expr: { $lt: ['$n', 4] } }, 4],
    ['between', { $expr: { $and: [{ $gte: ['$n', 4] }, { $gt: [6, '$n'] }] } }, 2],
    ['dates above', { $expr: { $gte: ['$at', new Date(MANY - 2)] } }, 2],
    ['beside another condition', { at: { $type: 'date' }, $and: [{ $expr: { $eq: ['$n', 7] } }] }, 1],
  ])('%s', async (_what, filter, count) => {
    let found: unknown[] = [];
    expect(await examined(async () => (found = await items.find(filter).toArray()))).toBe(count);
    expect(found).toHaveLength(count);
  });

  it('for numbers above one not: lists are above all of them', async () => {
    expect(await examined(() => items.find({ $expr: { $gt: ['$n', MANY - 3] } }).toArray())).toBe(MANY);
  });

  it('in the pipeline of a $lookup too, for each document', async () => {
    for (const condition of [
      { $in: ['$_id', '$$ids'] },
      { $eq: ['$n', '$$n'] },
      { $and: [{ $gte: ['$n', '$$n'] }, { $lte: ['$n', '$$n'] }] },
    ]) {
      const pipeline = [
        { $documents: Array.from({ length: 3 }, (_none, n) => ({ n, ids: [n, n + 10, -1] })) },
        { $lookup: { from: 'items', let: { ids: '$ids', n: '$n' }, pipeline: [{ $match: { $expr: condition } }], as: 'found' } },
        { $project: { found: '$found._id' } },
      ];
      let rows: Document[] = [];
      const looked = await examined(async () => (rows = await harness.db.aggregate(pipeline).toArray()));
      const wanted = '$in' in condition ? [0, 1, 2].map((n) => [n, n + 10]) : [[0], [1], [2]];
      expect(rows.map(({ found }) => found as unknown)).toEqual(wanted);
      expect(looked).toBe(wanted.flat().length);
    }
  });

  it('is told by explain with bounds for values of all types', async () => {
    const { queryPlanner } = (await items.find({ $expr: { $lt: ['$n', 4] } }).explain('queryPlanner')) as Document;
    expect(queryPlanner).toMatchObject({ winningPlan: { inputStage: { stage: 'IXSCAN', indexBounds: { n: ['[MinKey, 4)'] } } } });
  });
});

const id = new ObjectId();
const VALUES: readonly unknown[] = [
  ...[
    null,
    1,
    2,
    3,
    Long.fromNumber(2),
    Decimal128.fromString('2.5'),
    NaN,
    'a',
    'A',
    'b',
    { c: 1 },
    { c: 'a' },
    [1],
    [2, 'a'],
    [],
    [[1]],
    [{ c: 1 }],
  ],
  ...[true, false, new Date(1), new Date(2), id, [new Date(1)], [true], undefined],
];
const KEYS: readonly Document[] = [{ a: 1 }, { a: -1 }, { b: 1, a: 1 }, { 'a.c': 1 }, { a: 1, 'b.c': -1 }, { '$**': 1 }, { a: 'hashed' }];
const OPTIONS: readonly Document[] = [
  {},
  {},
  { sparse: true },
  { partialFilterExpression: { b: { $exists: true } } },
  { collation: { locale: 'en', strength: 2 } },
];

it('finds the same by indexes as without them', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const field = (): string => random.pick(['$a', '$b', '$a.c', '$b.c', '$_id', '$a.0']);
  const value = (): unknown => random.pick(VALUES) ?? null;
  const compared = (): Document => {
    if (random.oneIn(4)) return { $in: [field(), { $literal: [value(), value(), value()] }] };
    const operands = [field(), random.oneIn(4) ? '$$v' : { $literal: value() }];
    return { [random.pick(['$eq', '$eq', '$gt', '$gte', '$lt', '$lte'])]: random.oneIn(3) ? operands.reverse() : operands };
  };
  for (let round = 0; round < ROUNDS; round++) {
    const [plain, indexed] = ['plain', 'indexed'].map((name) =>
      harness.db.collection<Document & { _id: unknown }>(`${name}${String(round)}`),
    ) as [Collection<Document & { _id: unknown }>, Collection<Document & { _id: unknown }>];
    for (const key of KEYS)
      if (random.oneIn(2)) {
        const isPlain = Object.keys(key).some((name) => name.includes('$')) || Object.values(key).includes('hashed');
        await indexed.createIndex(key as never, isPlain ? {} : random.pick(OPTIONS));
      }
    for (let at = 0; at < 20; at++) {
      const doc: Document = { _id: random.oneIn(5) ? `t${String(at)}` : at };
      for (const name of ['a', 'b']) {
        const given = random.pick(VALUES);
        if (given !== undefined) doc[name] = random.oneIn(5) ? { c: given } : given;
      }
      // What no index takes is in neither.
      await indexed.insertOne({ ...doc } as never).then(
        () => plain.insertOne({ ...doc } as never),
        () => variety.took('refused'),
      );
    }
    for (let n = 0; n < QUERIES; n++) {
      const expression = random.oneIn(3) ? { $and: [compared(), compared()] } : compared();
      const filter = random.oneIn(3) ? { $expr: expression, b: { $exists: true } } : { $expr: expression };
      const options = { let: { v: { $literal: value() } }, ...(random.oneIn(3) ? { collation: { locale: 'en', strength: 2 } } : {}) };
      const ids = (of: Collection<Document & { _id: unknown }>): Promise<string[]> =>
        of
          .find(filter as never, options as never)
          .toArray()
          .then((docs) => docs.map(({ _id }) => String(_id)).sort());
      const [expected, found] = await Promise.all([ids(plain), ids(indexed)]);
      expect({ filter, options, found }).toEqual({ filter, options, found: expected });
      const { queryPlanner } = (await indexed.find(filter as never, options as never).explain('queryPlanner')) as Document;
      const told = JSON.stringify(queryPlanner);
      variety.tried(JSON.stringify([filter, options]));
      variety.took(told.includes('IXSCAN') ? 'by an index' : told.includes('COLLSCAN') ? 'by all documents' : 'by ids');
      if (expected.length > 0) variety.took('found');
    }
  }
  console.log(variety.report('expressions by indexes', SEED));
  variety.expect(ROUNDS * QUERIES * 0.8, { 'by an index': ROUNDS, 'by all documents': ROUNDS, found: ROUNDS * 4 });
});

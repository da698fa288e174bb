import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { GroupRun, compileGroup } from '../../src/aggregation/group-run.ts';
import { collatorFor } from '../../src/bson/collation.ts';
import { hashKey } from '../../src/bson/hash-key.ts';
import { type Doc, Double, type Value } from '../../src/bson/values.ts';

const SEED = Number(process.env.GROUP_SEED ?? 20261122);
const ROUNDS = Number(process.env.GROUP_ROUNDS ?? 3);

const FIELDS: Doc = {
  sum: { $sum: '$n' },
  count: { $sum: 1 },
  counted: { $count: {} },
  avg: { $avg: '$n' },
  min: { $min: '$n' },
  max: { $max: '$t' },
  first: { $first: '$n' },
  last: { $last: '$t' },
  all: { $push: '$t' },
  set: { $addToSet: '$t' },
  merged: { $mergeObjects: '$d' },
  deviation: { $stdDevPop: '$n' },
  top: { $top: { output: '$t', sortBy: { n: 1, at: 1 } } },
  last3: { $lastN: { input: '$t', n: 3 } },
  first40: { $firstN: { input: '$t', n: { $add: [20, 20] } } },
  least: { $minN: { input: '$n', n: 3 } },
  most: { $maxN: { input: '$t', n: 40 } },
  bottom: { $bottomN: { output: ['$t', '$at'], sortBy: { t: 1 }, n: 3 } },
  middle: { $median: { input: '$n', method: 'approximate' } },
};

function run(docs: readonly Doc[], id: Value, limit: number | undefined, collation?: Doc): { rows: Doc[]; spilled: boolean } {
  const spec = compileGroup({ _id: id, ...FIELDS }, { collator: collatorFor(collation), names: new Set() });
  const groups = new GroupRun(spec, { allowDiskUse: true, ...(limit === undefined ? {} : { limit }) });
  for (let from = 0; from < docs.length; from += 100) for (const _turn of groups.add(docs.slice(from, from + 100), {}));
  const { spilled } = groups;
  const rows = [...groups.results()].flat();
  groups.close();
  return { rows, spilled };
}

/** Rows in an order of their own; sets have none. */
function comparable(rows: readonly Doc[]): string[] {
  return rows.map((row) => hashKey({ ...row, set: (row.set as Value[]).map(hashKey).sort() })).sort();
}

describe('a group', () => {
  it('is the same whether or not memory had room for all', () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const ids = 100 + random.below(400);
      const docs = Array.from({ length: random.below(2000) }, (_, at): Doc => {
        const doc: Doc = { at, g: random.below(ids), t: `t${String(random.below(50))}`, d: { [`f${String(random.below(5))}`]: at } };
        if (!random.oneIn(5)) doc.n = random.oneIn(4) ? new Double(random.below(100)) : random.below(2 ** 31);
        else if (random.oneIn(2)) doc.n = null;
        return doc;
      });
      const whole = run(docs, '$g', undefined);
      const spilled = run(docs, '$g', 100_000 + random.below(300_000));
      expect(comparable(spilled.rows)).toEqual(comparable(whole.rows));
      expect(whole.spilled).toBe(false);
      variety.tried(`${String(ids)} ${String(docs.length)}`);
      variety.took(spilled.spilled ? 'spilled' : 'in memory');
    }
    console.log(variety.report('GROUP_SEED', SEED));
    variety.expect(ROUNDS * 0.8, { spilled: ROUNDS / 3 });
  });

  it('keeps texts together that are equal by the collation, on the disk too', () => {
    const docs = Array.from({ length: 600 }, (_, at): Doc => ({
      at,
      g: ['Ann', 'ANN', 'ann', 'Bob', 'bob', 'Cid'][at % 6],
      t: String(at),
    }));
    const collation = { locale: 'en', strength: 2 };
    for (const limit of [undefined, 100_000]) {
      const { rows, spilled } = run(docs, '$g', limit, collation);
      expect(spilled).toBe(limit !== undefined);
      expect(rows.map(({ _id, count }) => [String(_id).toLowerCase(), count]).sort()).toEqual([
        ['ann', 300],
        ['bob', 200],
        ['cid', 100],
      ]);
    }
  });

  it('answers 146 when one group alone has no room, and 292 when it may not use the disk', () => {
    const docs = Array.from({ length: 300 }, (_, at): Doc => ({ at, g: 1, t: 'x'.repeat(100) }));
    expect(() => run(docs, '$g', 5000)).toThrow(expect.objectContaining({ code: 146 }));
    const spec = compileGroup({ _id: '$g', ...FIELDS }, { collator: undefined, names: new Set() });
    const groups = new GroupRun(spec, { allowDiskUse: false, limit: 5000 });
    expect(() => [...groups.add(docs, {})]).toThrow(expect.objectContaining({ code: 292 }));
  });

  it('lets one group alone have as much as a stage has without the disk, beside small ones', () => {
    const text = 'x'.repeat(1_000_000);
    const docs = Array.from({ length: 60 }, (_, at): Doc => ({ g: at % 20 === 19 ? at : 'large', t: `${text}${String(at)}` }));
    for (const [given, count] of [
      [docs.filter(({ g }) => g === 'large'), 1],
      [docs, 4],
    ] as const) {
      const groups = new GroupRun(compileGroup({ _id: '$g', all: { $push: '$t' } }, { collator: undefined, names: new Set() }), {
        allowDiskUse: true,
      });
      for (const doc of given) for (const _turn of groups.add([doc], {}));
      const rows = [...groups.results()].flat();
      groups.close();
      expect(rows).toHaveLength(count);
      expect((rows.find(({ _id }) => _id === 'large')?.all as string[]).map((each) => each.slice(text.length))).toEqual(
        docs.flatMap(({ g }, at) => (g === 'large' ? [String(at)] : [])),
      );
    }
  });

  const one = (fields: Doc, docs: readonly Doc[], limit: number): Doc | undefined => {
    const groups = new GroupRun(compileGroup({ _id: null, ...fields }, { collator: undefined, names: new Set() }), {
      allowDiskUse: false,
      limit,
    });
    for (const doc of docs) for (const _turn of groups.add([doc], {}));
    return [...groups.results()].flat()[0];
  };

  it('keeps of many documents no more than its accumulators take', () => {
    const docs = Array.from({ length: 5000 }, (_, at): Doc => ({ at, n: (at * 7919) % 5000, t: 'x'.repeat(1000) }));
    const found = one(
      {
        first: { $first: '$t' },
        last: { $last: '$t' },
        max: { $max: '$t' },
        merged: { $mergeObjects: { t: '$t' } },
        top: { $top: { output: '$n', sortBy: { n: -1 } } },
        topN: { $topN: { output: '$n', sortBy: { n: 1 }, n: 3 } },
        bottom: { $bottom: { output: '$n', sortBy: { n: -1 } } },
        bottomN: { $bottomN: { output: '$n', sortBy: { n: 1 }, n: 2 } },
        firstN: { $firstN: { input: '$at', n: 2 } },
        lastN: { $lastN: { input: '$at', n: 2 } },
        minN: { $minN: { input: '$n', n: 2 } },
        maxN: { $maxN: { input: '$n', n: 2 } },
        median: { $median: { input: '$n', method: 'approximate' } },
        percentile: { $percentile: { input: '$n', p: [0.1, 1], method: 'approximate' } },
      },
      docs,
      1_000_000,
    );
    expect(found).toEqual({
      _id: null,
      first: docs[0]?.t,
      last: docs[0]?.t,
      max: docs[0]?.t,
      merged: { t: docs[0]?.t },
      top: 4999,
      topN: [0, 1, 2],
      bottom: 0,
      bottomN: [4998, 4999],
      firstN: [0, 1],
      lastN: [4998, 4999],
      minN: [0, 1],
      maxN: [4999, 4998],
      median: new Double(2499),
      percentile: [new Double(499), new Double(4999)],
    });
  });

  it('takes what its key says, where the number of documents is in it', () => {
    const spec = compileGroup(
      { _id: { g: '$g' }, found: { $firstN: { input: '$at', n: '$g' } } },
      { collator: undefined, names: new Set() },
    );
    const groups = new GroupRun(spec, { allowDiskUse: true });
    for (const _turn of groups.add(
      Array.from({ length: 200 }, (_, at): Doc => ({ at, g: 1 + (at % 2) })),
      {},
    ));
    expect([...groups.results()].flat()).toEqual([
      { _id: { g: 1 }, found: [0] },
      { _id: { g: 2 }, found: [1, 3] },
    ]);
  });

  it('looks through a set again only when that has grown', () => {
    let looked = 0;
    const value = (at: number): Doc => ({
      get at() {
        looked += 1;
        return at;
      },
    });
    const values = Array.from({ length: 1023 }, (_, at) => value(at));
    const docs = Array.from({ length: 4000 }, (_, at): Doc => ({ v: values[at % 1023] as Doc }));
    expect(one({ set: { $addToSet: '$v' } }, docs, 100_000_000)?.set).toHaveLength(1023);
    // Once for its size and a few times for its key; looking through all with each document would be four million.
    expect(looked).toBeLessThan(200_000);
  });
});

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
    for (const limit of [undefined, 200_000]) {
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
});

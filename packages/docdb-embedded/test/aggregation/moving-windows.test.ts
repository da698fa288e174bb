import { expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Decimal128, EJSON } from 'bson';
import { NO_COLLECTIONS } from '../../src/aggregation/pipeline-types.ts';
import { compilePipeline } from '../../src/aggregation/pipeline.ts';
import { collatorFor } from '../../src/bson/collation.ts';
import { type Doc, toDouble, type Value } from '../../src/bson/values.ts';

const SEED = Number(process.env.WINDOWS_SEED ?? 20261130);
const NAMES = ['$sum', '$avg', '$count', '$min', '$max', '$first', '$last'];

const KINDS: Readonly<Record<string, (random: Random) => Value>> = {
  int: (random) => random.below(2000) - 1000,
  'large int': (random) => (random.below(2) === 0 ? 2 ** 31 - 1 : -(2 ** 31)),
  long: (random) => BigInt(random.below(1000)) * 10n ** BigInt(random.below(15)),
  'largest long': (random) => (random.below(2) === 0 ? 2n ** 63n - 1n : -(2n ** 63n)),
  'whole double': (random) => toDouble(random.below(1000) * 10 ** random.below(14)),
  fraction: (random) => toDouble((random.below(2000) - 1000) / 10 ** random.below(5)),
  'other double': (random) => toDouble(pick(random, [1e308, -1e308, 1e30, 1e-300, 0.1 + 2 ** 33, Number.NaN, Infinity, -Infinity, -0])),
  decimal: (random) => Decimal128.fromString(pick(random, ['1', '0.1', '1E+40', '-2.50', 'NaN', 'Infinity'])),
  text: (random) => pick(random, ['a', 'A', 'b', 'B']),
  null: () => null,
  missing: () => undefined,
};

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)] as T;
}

const written = (value: Value): string => EJSON.stringify({ value }, { relaxed: false });

it('give what their documents give alone, whatever has left them', () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const collators = [undefined, collatorFor({ locale: 'en', strength: 2 })];
  for (let turn = 0; turn < 600; turn++) {
    const name = pick(random, NAMES);
    // Those that rounding can tell apart are often among themselves.
    const kinds = random.below(4) === 0 ? ['largest long', 'fraction'] : Object.keys(KINDS).filter(() => random.below(3) === 0);
    const documents: Doc[] = Array.from({ length: 1 + random.below(25) }, (_none, n) => {
      const kind = kinds.length > 0 ? pick(random, kinds) : 'int';
      const v = KINDS[kind]?.(random);
      variety.took(kind);
      return v === undefined ? { _id: n } : { _id: n, v };
    });
    const low = random.below(9) - 5;
    const bounds = [low, name !== '$sum' && name !== '$avg' && random.below(4) === 0 ? 'unbounded' : low + random.below(6)] as const;
    const isRange = random.below(3) === 0;
    const operator = { [name]: name === '$count' ? {} : '$v' };
    const context = { host: NO_COLLECTIONS, scope: { collator: pick(random, collators), names: new Set<string>() } };
    variety.tried(written({ documents, operator, bounds, isRange } as unknown as Value));
    variety.took(name);
    const output = { out: { ...operator, window: isRange ? { range: bounds } : { documents: bounds } } };
    const found = compilePipeline([{ $setWindowFields: { sortBy: { _id: 1 }, output } }], context).run(documents, {});
    const alone = compilePipeline([{ $group: { _id: null, out: operator } }], context);
    const empty = name === '$sum' || name === '$count' ? 0 : null;
    const expected = documents.map((_doc, n) => {
      const inside = documents.slice(Math.max(0, n + low), bounds[1] === 'unbounded' ? undefined : Math.max(0, n + bounds[1] + 1));
      return inside.length === 0 ? empty : (alone.run(inside, {})[0]?.out ?? null);
    });
    expect([turn, found.map(({ out }) => written(out))]).toEqual([turn, expected.map(written)]);
  }
  console.log(variety.report('WINDOWS_SEED', SEED));
  variety.expect(580, {
    ...Object.fromEntries(NAMES.map((name) => [name, 50])),
    ...Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 200])),
  });
});

it('numbers that are infinite in one order and not in the other are added as they come, in a window to the end too', () => {
  const numbers = [1e292, -1.7e308, 1e-308, 1e308, 1e308, 1e308, -1e292, -1e308];
  const context = { host: NO_COLLECTIONS, scope: { collator: undefined, names: new Set<string>() } };
  for (const name of ['$sum', '$avg'])
    for (const values of [numbers, [...numbers].reverse()]) {
      const documents = values.map((value, n): Doc => ({ _id: n, v: toDouble(value) }));
      const output = { out: { [name]: '$v', window: { documents: [0, 'unbounded'] } } };
      const found = compilePipeline([{ $setWindowFields: { sortBy: { _id: 1 }, output } }], context).run(documents, {});
      const alone = compilePipeline([{ $group: { _id: null, out: { [name]: '$v' } } }], context);
      expect(found.map(({ out }) => out)).toEqual(documents.map((_doc, n) => alone.run(documents.slice(n), {})[0]?.out));
    }
});

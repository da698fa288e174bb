import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Binary, BSONRegExp, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { compileExpression } from '../../src/aggregation/expression.ts';
import { collatorFor } from '../../src/bson/collation.ts';
import type { Doc, Value } from '../../src/bson/values.ts';

const ignoringCase = collatorFor({ locale: 'en', strength: 2 });
const names = new Set(['list']);

describe('a list that many documents are held against is read a few times, and not for each of them', () => {
  const DOCUMENTS = 50;
  it.each<[string, Doc]>([
    ['$in', { $in: ['$a', '$$list'] }],
    ['$not of $in', { $not: [{ $in: ['$a', '$$list'] }] }],
    ['$setIsSubset', { $setIsSubset: [['$a'], '$$list'] }],
    ['$setDifference', { $setDifference: [['$a'], '$$list'] }],
    ['$setIntersection', { $setIntersection: [['$a'], '$$list'] }],
  ])('by %s', (_name, expression) => {
    let reads = 0;
    const entries = Array.from({ length: 200 }, (_none, index) => index);
    const list = new Proxy(entries, {
      get: (target, name, self): unknown => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, self);
      },
    });
    for (const collator of [undefined, ignoringCase]) {
      reads = 0;
      const evaluate = compileExpression(expression, { names, collator });
      for (let a = 1000; a < 1000 + DOCUMENTS; a++) evaluate({ root: { a }, vars: { list } });
      expect(reads).toBeGreaterThanOrEqual(entries.length);
      expect(reads).toBeLessThanOrEqual(4 * entries.length);
    }
  });
});

describe('a value is in a list that comes again exactly when it is in one that comes once', () => {
  const id = new ObjectId();
  const VALUES: readonly Value[] = [
    ...[null, undefined, 0, -0, 1, NaN, 1.5, 'a', 'A', 'é', '', true, false, 5n, 2n ** 60n, Infinity],
    ...[new Double(1), new Double(NaN), Decimal128.fromString('1.0'), Decimal128.fromString('NaN'), id],
    ...[new Date(0), new Date(NaN), new Timestamp({ t: 1, i: 1 }), new Binary(Buffer.from('a')), new MinKey(), new MaxKey()],
    ...[new BSONRegExp('a', 'i'), {}, { a: 1 }, { a: 'x' }, { a: 'X' }, { a: null }, [], [null], ['a'], ['A'], [[1]]],
  ] as readonly Value[];

  it.each([
    ['as it is written', undefined],
    ['by a collation', ignoringCase],
  ])('%s', (_name, collator) => {
    const seed = Number(process.env.LIST_SEED ?? 26);
    const random = new Random(seed);
    const variety = new Variety();
    const scope = { names, collator };
    const again = compileExpression({ $in: ['$$value', '$$list'] }, { ...scope, names: new Set(['list', 'value']) });
    for (let round = 0; round < Number(process.env.LIST_ROUNDS ?? 300); round++) {
      const list = Array.from({ length: 10 + random.below(20) }, () => random.pick(VALUES) ?? null);
      for (const value of VALUES) {
        // Another list each time: each is gone through.
        const expected = again({ root: {}, vars: { list: [...list], value } });
        again({ root: {}, vars: { list, value: 'nothing of it' } });
        expect([value, again({ root: {}, vars: { list, value } })]).toEqual([value, expected]);
        variety.took(`${String(list.length > 16)} ${String(expected)}`);
      }
      variety.tried(list.map(String).join());
    }
    console.log(variety.report('lists that come again', seed));
    variety.expect(200, { 'true true': 1000, 'true false': 1000, 'false true': 1000, 'false false': 1000 });
  });
});

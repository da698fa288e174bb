import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, Long } from 'mongodb';
import type { Doc, Value } from '../../src/bson/values.ts';
import { compileFilter } from '../../src/query/matcher.ts';
import { start, type Harness } from '../harness.ts';

const BRANCHES = 1000;

/** How often the fields of a document are read while a filter looks at it. */
function readsOf(filter: Doc, values: Doc): number {
  let reads = 0;
  const doc = new Proxy(values, {
    get(target, name) {
      reads += 1;
      return Reflect.get(target, name) as Value;
    },
  });
  compileFilter(filter)(doc);
  return reads;
}

const branches = (of: (n: number) => Doc): Doc[] => Array.from({ length: BRANCHES }, (_none, n) => of(n));

describe('a filter of many branches', () => {
  it.each<[string, Doc]>([
    ['$or', { $or: branches((n) => ({ a: n })) }],
    ['$or with $eq', { $or: branches((n) => ({ a: { $eq: n } })) }],
    ['$or with more in each branch', { $or: branches((n) => ({ a: n, b: { $gt: n } })) }],
    ['$nor', { $nor: branches((n) => ({ a: n })) }],
  ])('looks at a document a few times, with %s', (_name, filter) => {
    expect(readsOf(filter, { a: -1, b: 1 })).toBeLessThan(10);
    expect(readsOf(filter, { a: 500, b: 501 })).toBeLessThan(10);
  });

  it.each<[string, Doc[], Doc, boolean]>([
    ['a value', branches((n) => ({ a: n })), { a: 7 }, true],
    ['another type of number', branches((n) => ({ a: n })), { a: 7n }, true],
    ['no value', branches((n) => ({ a: n })), { a: 'x' }, false],
    ['an element', branches((n) => ({ a: n })), { a: ['x', 7] }, true],
    ['an array', branches((n) => ({ a: [n] })), { a: [7] }, true],
    ['a document', branches((n) => ({ a: { b: n } })), { a: { b: 7 } }, true],
    ['null', branches((n) => ({ a: n === 7 ? null : n })), {}, true],
    ['a value of a path', branches((n) => ({ 'a.b': n })), { a: [{ b: 1 }, { b: 7 }] }, true],
    ['what else is asked of it', branches((n) => ({ a: n, b: 1 })), { a: 7, b: 2 }, false],
    ['one of another field', [...branches((n) => ({ a: n })), { b: 1 }], { a: 'x', b: 1 }, true],
    ['a pattern', [...branches((n) => ({ a: String(n) })), { a: { $regex: '^x' } }], { a: 'xy' }, true],
  ])('finds by %s as it is written', (_what, $or, doc, found) => {
    expect(compileFilter({ $or })(doc)).toBe(found);
    expect(compileFilter({ $nor: $or })(doc)).toBe(!found);
  });
});

describe('branches that ask one field for values', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await start();
    await harness.db
      .collection('many')
      .insertMany(Array.from({ length: 300 }, (_none, n) => ({ _id: n as never, a: n % 50, text: `T${String(n)}` })));
    await harness.db.collection('many').createIndexes([{ key: { a: 1 } }]);
  });
  afterAll(() => harness.stop());

  const examined = async (filter: Document): Promise<unknown> => {
    const plan = await harness.db.collection('many').find(filter).explain('executionStats');
    return (plan.executionStats as Document).totalDocsExamined as unknown;
  };

  it('are found by an index', async () => {
    expect(await examined({ $or: [{ a: 1 }, { a: { $eq: 2 } }] })).toBe(12);
  });

  it('are found by their ids', async () => {
    expect(await examined({ $or: [{ _id: 1 }, { _id: 2 }, { _id: Long.fromNumber(3) }] })).toBe(3);
  });

  it('are found beside other conditions', async () => {
    const found = await harness.db
      .collection('many')
      .find({ text: 'T51', $or: [{ a: 1 }, { a: 2 }] })
      .toArray();
    expect(found.map(({ _id }) => _id)).toEqual([51]);
  });

  it('are compared by the collation of the command', async () => {
    const $or = Array.from({ length: 40 }, (_none, n) => ({ text: `t${String(n)}` }));
    const found = await harness.db
      .collection('many')
      .find({ $or }, { collation: { locale: 'en', strength: 2 } })
      .toArray();
    expect(found).toHaveLength(40);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Collator, collatorFor } from '../../src/bson/collation.ts';
import type { Doc, Value } from '../../src/bson/values.ts';
import { compileFilter } from '../../src/query/matcher.ts';
import { uniqueValues, ValueSet } from '../../src/query/value-set.ts';
import { prepareUpdate } from '../../src/update/update-document.ts';

const ignoringCase = collatorFor({ locale: 'en', strength: 2 });

describe('a set of values', () => {
  it.each<[string, Collator | undefined, Value[], Value[]]>([
    ['numbers of all types once', undefined, [1, 1n, 2.5, 2], [1, 2.5, 2]],
    ['texts that are the same once', undefined, ['a', 'A', 'a'], ['a', 'A']],
    ['texts that a collation takes for the same once', ignoringCase, ['a', 'A', 'b', 'á'], ['a', 'b', 'á']],
    [
      'documents and lists by what is in them',
      ignoringCase,
      [{ a: 'x' }, { a: 'X' }, ['x'], ['X', 1], ['x', 1]],
      [{ a: 'x' }, ['x'], ['X', 1]],
    ],
  ])('has %s', (_what, collator, values, unique) => {
    expect(uniqueValues(values, collator)).toEqual(unique);
    const set = new ValueSet(unique, collator);
    expect(values.every((value) => set.has(value))).toBe(true);
    expect(set.has('nothing of it')).toBe(false);
  });
});

/** @returns how often the values of so many elements are read */
type Work = (elements: readonly Value[]) => void;

const context = { collator: undefined, filter: {}, arrayFilters: [], keepsEmptyTimes: false, pipeline: () => (doc: Doc) => doc };
const updating =
  (update: (elements: readonly Value[]) => Doc, old: (elements: readonly Value[]) => readonly Value[]): Work =>
  (elements) =>
    void prepareUpdate(update(elements), context).apply({ _id: 1, list: [...old(elements)] }, false);

describe('the work grows with the elements and not with their square', () => {
  const half = (elements: readonly Value[]): readonly Value[] => elements.slice(0, elements.length / 2);
  it.each<[string, Work]>([
    [
      'uniqueItems',
      (elements) =>
        expect(compileFilter({ $jsonSchema: { properties: { list: { uniqueItems: true } } } })({ list: [...elements] })).toBe(true),
    ],
    ['enum', (elements) => expect(compileFilter({ $jsonSchema: { properties: { a: { enum: [...elements] } } } })({ a: 1 })).toBe(false)],
    [
      '$in with a collation',
      (elements) => {
        const test = compileFilter({ a: { $in: [...half(elements)] } }, { collator: ignoringCase });
        expect(elements.filter((a) => test({ a }))).toHaveLength(elements.length / 2);
      },
    ],
    [
      'values without repetitions, with a collation',
      (elements) => expect(uniqueValues([...elements, ...elements], ignoringCase)).toHaveLength(elements.length),
    ],
    ['$addToSet', updating((elements) => ({ $addToSet: { list: { $each: [...elements] } } }), half)],
    [
      '$pullAll',
      updating(
        (elements) => ({ $pullAll: { list: [...half(elements)] } }),
        (elements) => elements,
      ),
    ],
  ])('of %s', (_what, work) => {
    const readsOf = (count: number): number => {
      let reads = 0;
      const element = (value: number): Value => Object.defineProperty({}, 'a', { enumerable: true, get: () => ((reads += 1), value) });
      work(Array.from({ length: count }, (_none, index) => element(index)));
      return reads;
    };
    expect(readsOf(2000) / readsOf(500)).toBeCloseTo(4, 1);
  });
});

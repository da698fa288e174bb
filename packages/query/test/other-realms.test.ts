import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { isPattern } from '../src/built-in.ts';
import { compareRecordValues, isDate, matcher, parseQuery, sorter } from '../src/index.ts';

/** What a worker, a context of `node:vm` or `structuredClone` within tests give. */
const foreign = (code: string): unknown => runInNewContext(code);
const early = foreign('new Date(1)');
const late = foreign('new Date(9)');

it('knows dates and patterns of another realm, and nothing that is none', () => {
  expect([early, new Date(1)].map(isDate)).toEqual([true, true]);
  expect([foreign('/a/i'), /a/i].map(isPattern)).toEqual([true, true]);
  for (const other of [foreign('({})'), foreign('new Map()'), {}, [], null, undefined, 1, '2020-02-29', { getTime: () => 1 }])
    expect([isDate(other), isPattern(other)]).toEqual([false, false]);
});

it('compares and sorts dates of another realm by their time (interface 4.6)', () => {
  expect(compareRecordValues(early, new Date(1))).toBe(0);
  expect(compareRecordValues(early, late)).toBeLessThan(0);
  expect(compareRecordValues(late, new Date(5))).toBeGreaterThan(0);
  const records = [{ at: late }, { at: new Date(5) }, { at: early }];
  expect(records.sort(sorter({ at: 1 })).map(({ at }) => Number(at))).toEqual([1, 5, 9]);
});

it.each([
  [{ at: early }, [true, false]],
  [{ at: { $gt: early } }, [false, true]],
  [{ at: { $in: [early, late] } }, [true, true]],
  [{ at: { $ne: late } }, [true, false]],
])('finds by dates of another realm: %p', (query, expected) => {
  for (const records of [
    [{ at: new Date(1) }, { at: new Date(9) }],
    [{ at: early }, { at: late }],
    // As clients have them.
    [{ at: new Date(1).toJSON() }, { at: new Date(9).toJSON() }],
  ])
    expect(records.map(matcher(query))).toEqual(expected);
});

it('finds by patterns of another realm', () => {
  const pattern = foreign('/^an/i');
  const found = (query: object): boolean[] => [{ name: 'Ann' }, { name: 'Bob' }].map(matcher({ ...query }));
  for (const query of [{ name: pattern }, { name: { $in: [pattern] } }, { name: { $regex: pattern } }])
    expect(found(query)).toEqual([true, false]);
  expect(found({ name: { $not: pattern } })).toEqual([false, true]);
});

it.each(['new Date(NaN)', 'new Map([["$ne", 1]])', 'new Set([1])', 'Promise.resolve(1)'])('refuses %s of another realm', (code) => {
  expect(() => parseQuery({ owner: foreign(code) })).toThrow(expect.objectContaining({ code: 400 }));
  expect(() => parseQuery({ owner: { $ne: foreign(code) } })).toThrow(expect.objectContaining({ code: 400 }));
});

it('refuses patterns of another realm where they have no order', () => {
  expect(() => parseQuery({ name: { $gt: foreign('/a/') } })).toThrow('a pattern has no order');
});

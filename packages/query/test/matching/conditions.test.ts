import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
import { checkPattern, everyRecord, matches } from '../../src/index.ts';
import { compileConditions } from '../../src/matching/conditions.ts';

describe('conditions', () => {
  it.each<[object, object, boolean]>([
    [{ $nor: [{ a: 1 }, { b: 2 }] }, { a: 2, b: 1 }, true],
    [{ $nor: [{ a: 1 }, { b: 2 }] }, { a: 2, b: 2 }, false],
    [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }, true],
    [{ $or: [{ a: 2 }, { b: 1 }] }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2, c: 3 }, { a: 1, b: 2, c: 3 }, true],
    [{ a: 1, b: 2, c: 3 }, { a: 1, b: 0, c: 3 }, false],
    [{ a: { $exists: true } }, { a: null }, true],
    [{ a: { $exists: true } }, {}, false],
    [{ a: { $exists: false } }, {}, true],
    [{ a: { $exists: false } }, { a: 0 }, false],
    [{ a: { $exists: '' } }, { a: 0 }, true],
    [{ a: { $exists: Number.NaN } }, { a: 0 }, true],
    [{ a: { $exists: 0 } }, { a: 0 }, false],
    [{ a: { $exists: null } }, {}, true],
    [{ 'a.b': { $exists: true } }, { a: [{ c: 1 }, { b: 1 }] }, true],
    [{ 'a.b': { $exists: false } }, { a: [{ c: 1 }, { b: 1 }] }, false],
    [{ a: { $not: { $gt: 5 } } }, { a: 5 }, true],
    [{ a: { $not: { $gt: 5 } } }, { a: 6 }, false],
    [{ a: { $not: { $gt: 5 } } }, {}, true],
    [{ a: { $all: [1, 2] } }, { a: [2, 1, 3] }, true],
    [{ a: { $all: [1, 2] } }, { a: [1, 3] }, false],
    [{ a: { $all: [] } }, { a: [] }, false],
    [{ a: { $all: [{ $elemMatch: { b: 1 } }] } }, { a: [{ b: 1 }] }, true],
    [{ a: { $size: 1 } }, { a: [1, 2] }, false],
    [{ a: { $size: 1 } }, { a: 'x' }, false],
    [{ a: { $size: 0 } }, { a: [] }, true],
    [{ a: { $elemMatch: { $gt: 1, $lt: 3 } } }, { a: [0, 2, 5] }, true],
    [{ a: { $elemMatch: { $gt: 1, $lt: 3 } } }, { a: [0, 5] }, false],
    [{ a: { $gt: 1, $lt: 3 } }, { a: [0, 5] }, true],
    [{ a: { $elemMatch: { b: 1, c: 2 } } }, { a: [{ b: 1 }, { c: 2 }] }, false],
    [{ a: { $elemMatch: { $or: [{ b: 1 }, { b: 2 }] } } }, { a: [{ b: 2 }] }, true],
    [{ a: { $elemMatch: { $and: [{ b: 1 }, { c: 2 }] } } }, { a: [{ b: 1, c: 2 }] }, true],
    [{ a: { $elemMatch: { $nor: [{ b: 1 }] } } }, { a: [{ b: 1 }] }, false],
    [{ a: { $elemMatch: { b: 1 } } }, { a: { b: 1 } }, false],
    [{ a: { $elemMatch: { b: 1 } } }, { a: [5, null] }, false],
    [{ a: { $elemMatch: { $eq: 1 } } }, { a: [[1]] }, false],
    [{ a: { $elemMatch: { $ne: 1 } } }, { a: [[1]] }, true],
    [{ a: { $elemMatch: { $eq: [1] } } }, { a: [[1]] }, true],
    [{ a: { $elemMatch: { $elemMatch: { $gt: 0 } } } }, { a: [[1]] }, true],
    [{ a: { $elemMatch: { 0: 1 } } }, { a: [[1]] }, true],
    [{ a: { $elemMatch: { $or: [{ '1.b': 2 }, { b: 1 }] } } }, { a: [[5, { b: 2 }]] }, true],
    [{ a: { $elemMatch: { b: { $exists: false } } } }, { a: [[]] }, true],
    [{ a: {} }, { a: {} }, true],
    [{ a: { b: 1 } }, { a: { b: 1 } }, true],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, false],
    [{ a: [1, 2] }, { a: [1, 2] }, true],
    [{ a: [1, 2] }, { a: [[1, 2]] }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: null }, { a: [1, null] }, true],
    [{ a: null }, { a: [1] }, false],
    [{ a: undefined }, {}, true],
    [{ a: { $ne: null } }, { a: 1 }, true],
    [{ a: { $ne: null } }, {}, false],
    [{ a: { $gte: null } }, {}, true],
    [{ a: { $lte: null } }, { a: 1 }, false],
    [{ a: { $gt: null } }, { a: 1 }, false],
    [{ a: { $lt: null } }, { a: null }, false],
    [{ a: { $in: [null, 1] } }, {}, true],
    [{ a: { $in: [/^x/] } }, { a: 'xy' }, true],
    [{ a: { $in: [/^x/, 1] } }, { a: [['x']] }, false],
    [{ a: { $in: [5, undefined, 'b', 1n] } }, {}, true],
    [{ a: { $in: [5, undefined, 'b', 1n] } }, { a: 1 }, true],
    [{ a: { $in: [5, 'b', 1n] } }, { a: null }, false],
    [{ a: { $in: [9, ['x'], { b: [2] }, true, 'b', new Date(5), Number.NaN] } }, { a: [{ b: [2] }] }, true],
    [{ a: { $in: [9, ['x'], { b: [2] }, true, 'b', new Date(5), Number.NaN] } }, { a: ['x'] }, true],
    [{ a: { $in: [9, ['x'], { b: [2] }, true, 'b', new Date(5), Number.NaN] } }, { a: new Date(5) }, true],
    [{ a: { $in: [9, ['x'], { b: [2] }, true, 'b', new Date(5), Number.NaN] } }, { a: Number.NaN }, true],
    [{ a: { $in: [9, ['x'], { b: [2] }, true, 'b', new Date(5), Number.NaN] } }, { a: [false, 8, 'a'] }, false],
    [{ a: { $nin: [/^x/] } }, { a: 'xy' }, false],
    [{ a: /B/i }, { a: 'abc' }, true],
    [{ a: /B/ }, { a: 'abc' }, false],
    [{ a: /b/g }, { a: ['x', 'b'] }, true],
    [{ a: /b/ }, { a: /b/ }, true],
    [{ a: /b/ }, { a: /b/i }, false],
    [{ a: /5/ }, { a: 5 }, false],
    [{ a: { $regex: /B/, $options: 'i' } }, { a: 'b' }, true],
    [{ a: { $regex: /B/i } }, { a: 'b' }, true],
    [{ a: { $regex: 'B' } }, { a: 'b' }, false],
    [{ a: true }, { a: [false, true] }, true],
    [{ a: true }, { a: 1 }, false],
    [{ a: { $lte: 5 } }, { a: 5 }, true],
    [{ a: { $lt: 5 } }, { a: 5 }, false],
    [{ a: { $gte: 'b' } }, { a: 'b' }, true],
    [{ a: { $lte: 'b' } }, { a: 'a' }, true],
    [{ a: { $gt: new Date(5) } }, { a: new Date(6) }, true],
    [{ a: { $gt: new Date(5) } }, { a: 6 }, false],
  ])('%j meets %j: %p', (query, record, expected) => {
    expect(compileConditions(query as never, undefined)(record as never)).toBe(expected);
  });

  it('no conditions are known for what they are, and none of those that no record meets', () => {
    expect(compileConditions({}, undefined)).toBe(everyRecord);
    expect(compileConditions({ a: { $in: [] } }, undefined)).not.toBe(everyRecord);
    expect(compileConditions({ $or: [] }, undefined)).not.toBe(everyRecord);
    expect(everyRecord()).toBe(true);
  });

  it('a pattern that remembers its place finds each record again', () => {
    const found = compileConditions({ a: /b/g }, undefined);
    expect([1, 2, 3].map(() => found({ a: 'b' }))).toEqual([true, true, true]);
  });

  it.each([
    [{ a: { $in: 5 } }, 'The operand must be a list'],
    [{ $and: {} }, 'The operand must be a list'],
    [{ $or: [5] }, 'The operand must be an object'],
    [{ a: { $elemMatch: [1] } }, 'The operand must be an object'],
    [{ a: { $regex: '(' } }, '$regex needs a valid pattern'],
    [{ a: { $regex: 5 } }, '$regex needs a valid pattern'],
    [{ a: { $regex: 'a', $options: 5 } }, '$regex needs a valid pattern'],
    [{ a: { $regex: 'a', $options: 'q' } }, '$regex needs a valid pattern'],
    [{ a: { $near: 1 } }, 'There is no operator $near'],
    [{ a: { [`$${'x'.repeat(300)}`]: 1 } }, `There is no operator $${'x'.repeat(99)}`],
  ])('%j is refused', (query, message) => {
    const compiled = () => compileConditions(query as never, undefined);
    expect(compiled).toThrow(BadRequest);
    expect(compiled).toThrow(new RegExp(`^${message.replace(/[$()]/g, '\\$&')}$`));
  });

  it('S8 from outside a pattern of unbounded work is refused, and inside it is run', () => {
    expect(() => compileConditions({ a: { $regex: '(a+)+$' } }, checkPattern)).toThrow(BadRequest);
    expect(compileConditions({ a: { $regex: '(a+)+$' } }, undefined)({ a: 'aa' })).toBe(true);
    for (const query of [
      { $or: [{ a: { $regex: '(b+)+$' } }] },
      { a: { $not: { $regex: '(c+)+$' } } },
      { a: { $elemMatch: { $regex: '(d+)+$' } } },
      { a: { $all: [{ $regex: '(e+)+$' }] } },
    ])
      expect(() => compileConditions(query as never, checkPattern)).toThrow(BadRequest);
  });

  it('a pattern that code has made is no text from outside, behind $regex as without it', () => {
    for (const query of [{ a: /.*b.*c$/i }, { a: { $regex: /.*b.*c$/i } }, { a: { $regex: /.*b.*c$/, $options: 'i' } }]) {
      const compiled = compileConditions(query, checkPattern);
      expect([compiled({ a: 'aBxC' }), compiled({ a: 'bd' })]).toEqual([true, false]);
    }
  });
});

it.each([{ $near: 1 }, { $where: 'x' }, { $comment: 'x' }])('%j at the top is refused by name', (query) => {
  expect(() => matches(query, {})).toThrow(`There is no operator ${Object.keys(query)[0] ?? ''}`);
});

it('values are compared as JSON has them where the record is JSON, inside of operators and lists too', () => {
  const at = new Date(5);
  const json = { at: at.toJSON(), list: [{ at: at.toJSON() }], n: null };
  expect(matches({ $or: [{ at: { $in: [at] } }], n: null }, json)).toBe(true);
  expect(matches({ list: { $elemMatch: { at } } }, json)).toBe(true);
  expect(matches({ at: { $gt: at } }, json)).toBe(false);
  expect(matches({ at, pattern: /x/ }, { at: at.toJSON(), pattern: 'x' })).toBe(true);
  expect(matches({ at: at.toJSON() }, { at })).toBe(false);
});

it.each(['$in', '$nin'])('of %s the work for a record grows with the logarithm of the list', (operator) => {
  const readsOf = (count: number): number => {
    let reads = 0;
    const list = Array.from({ length: count }, (_none, n) => ({ n }));
    const matching = compileConditions({ a: { [operator]: list } }, undefined);
    const value = Object.defineProperty({}, 'n', { enumerable: true, get: () => ((reads += 1), count - 2) });
    expect(matching({ a: value })).toBe(operator === '$in');
    return reads;
  };
  expect(readsOf(4096)).toBeLessThan(readsOf(64) * 3);
});

it('takes as many values of $all, and as many conditions, as there are', () => {
  const many = Array.from({ length: 50_000 }, (_none, n) => n);
  expect(matches({ a: { $all: many.slice(0, 10_000).fill(7) } }, { a: [7] })).toBe(true);
  expect(matches({ a: { $all: many } }, { a: many.slice(0, 10) })).toBe(false);
  const wide = Object.fromEntries(many.map((n) => [`p${n}`, n]));
  expect(matches(wide, wide)).toBe(true);
  expect(matches(wide, { ...wide, p49999: 'other' })).toBe(false);
});

it('takes the option x, as the database does, where a pattern has nothing that it changes', () => {
  expect(matches({ a: { $regex: '^ro', $options: 'ix' } }, { a: 'Rome' })).toBe(true);
  expect(matches({ a: { $regex: /^ro/, $options: 'xi' } }, { a: 'Rome' })).toBe(true);
  expect(() => matches({ a: { $regex: '^r o', $options: 'x' } }, { a: 'rome' })).toThrow('$regex needs a valid pattern');
});

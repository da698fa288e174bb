import { describe, expect, it } from '@jest/globals';
import { matcher, matches } from '../src/index.ts';

const record = {
  id: 1,
  text: 'b',
  likes: 5,
  tags: ['x', 'y'],
  at: new Date(5),
  inner: { a: 1 },
  list: [{ n: 1 }, { n: 7 }],
  nothing: null,
};

describe('matches', () => {
  it.each<[object, boolean]>([
    [{}, true],
    [{ text: 'b' }, true],
    [{ text: 'B' }, false],
    [{ text: { $in: ['a', 'b'] } }, true],
    [{ text: { $nin: ['a', 'b'] } }, false],
    [{ likes: { $gt: 4, $lte: 5 } }, true],
    [{ likes: { $gt: '4' } }, false],
    [{ tags: 'x' }, true],
    [{ tags: { $ne: 'x' } }, false],
    [{ nothing: null, missing: null }, true],
    [{ missing: 1 }, false],
    [{ missing: { $ne: 1 } }, true],
    [{ 'inner.a': 1 }, true],
    [{ 'list.n': { $gt: 6 } }, true],
    [{ 'list.0.n': 7 }, false],
    [{ $or: [{ text: 'a' }, { likes: 5 }] }, true],
    [{ $and: [{ text: 'b' }, { likes: 6 }] }, false],
    [{ text: { $regex: '^B$', $options: 'i' } }, true],
    [{ list: { $elemMatch: { n: 7 } } }, true],
    [{ tags: { $size: 2 } }, true],
    [{ at: { $lt: new Date(6) } }, true],
    [{ at: new Date(5) }, true],
  ])('decides as services do: %j', (query, expected) => {
    expect(matches({ ...query, $limit: 1, $sort: { id: 1 }, $select: ['id'], $skip: 1, $populate: 'x' }, record)).toBe(expected);
  });

  it('compares dates and object ids with what JSON has of them', () => {
    const id = { _bsontype: 'ObjectId' as const, toHexString: () => '0123456789abcdef01234567', toJSON: () => '0123456789abcdef01234567' };
    const json = JSON.parse(JSON.stringify({ ...record, author: id }));
    expect(matches({ at: { $lt: new Date(6) }, author: id }, json)).toBe(true);
    expect(matches({ at: { $lt: new Date(5) } }, json)).toBe(false);
    expect(matches({ author: { $in: [id] } }, { author: id })).toBe(true);
    expect(matches({ at: '1970-01-01T00:00:00.005Z' }, json)).toBe(true);
  });

  it('asks what a record has itself, and not what it inherits', () => {
    class Person {
      name = 'Ann';
      get shout(): string {
        return 'ANN';
      }
    }
    expect(matches({ name: 'Ann' }, new Person())).toBe(true);
    expect(matches({ shout: 'ANN' }, new Person())).toBe(false);
    expect(matches({ people: { $elemMatch: { name: 'Ann' } } }, { people: [new Person()] })).toBe(true);
    expect(matches({ people: { $elemMatch: { shout: 'ANN' } } }, { people: [new Person()] })).toBe(false);
    expect(matches({ 'person.shout': 'ANN' }, { person: new Person() })).toBe(false);
    for (const name of ['toString', 'constructor', 'hasOwnProperty']) {
      expect(matches({ [name]: null }, {})).toBe(true);
      expect(matches({ [name]: 5 }, { [name]: 5 })).toBe(true);
    }
    expect(matches({ name: 'Ann' }, Object.assign(Object.create(null), { name: 'Ann' }) as object)).toBe(true);
  });

  it.each<[object, unknown, boolean]>([
    [{ $gte: Infinity }, Infinity, true],
    [{ $gt: Infinity }, Infinity, false],
    [{ $lt: 0 }, -Infinity, true],
    [{ $lte: Number.NaN }, Number.NaN, true],
    [{ $lt: Number.NaN }, Number.NaN, false],
    [{ $lt: 5 }, Number.NaN, false],
    [{ $gt: 5 }, Number.NaN, false],
    [{ $gt: 5 }, 6n, true],
    [{ $gt: 5 }, '6', false],
    [{ $gt: 5 }, [1, 6], true],
    [{ $gt: 5, $lt: 6 }, [1, 9], true],
    [{ $gt: 'b' }, 'c', true],
    [{ $gt: 'b' }, 3, false],
    [{ $in: ['a', 'b'] }, ['c', 'b'], true],
    [{ $in: ['a', 'b'] }, 1, false],
    [{ $in: ['a', 1] }, 1n, true],
    [{ $nin: ['a', 'b'] }, null, true],
    [{ $in: [] }, 'a', false],
    [{ $ne: true }, [true], false],
  ])('decides by type: %p of %p is %p', (condition, value, expected) => {
    expect(matches({ value: condition }, { value })).toBe(expected);
    expect(matches({ 'in.value': condition }, { in: { value } })).toBe(expected);
    expect(matches({ 'in.value': condition }, { in: [{ value }] })).toBe(expected);
  });

  it('is made once for many records', () => {
    const isLiked = matcher({ likes: { $gte: 5 } });
    expect([{ likes: 4 }, { likes: 5 }, {}].map(isLiked)).toEqual([false, true, false]);
  });

  it.each([{ a: { $near: 1 } }, { a: { $in: 5 } }, { $or: 5 }, { $where: 'x' }])('refuses what it does not know: %j', (query) => {
    expect(() => matches(query, record)).toThrow();
  });
});

it.each<[Record<string, unknown>, boolean]>([
  [{ 'a.0': 1 }, false],
  [{ 'a.0': { $ne: 1 } }, true],
  [{ 'a.0': { $in: ['x', 1] } }, false],
  [{ 'a.0': 'x' }, false],
  [{ 'a.0': { $gt: 0 } }, false],
  [{ 'a.0': { $regex: 'x' } }, false],
  [{ 'a.0': [1, 'x'] }, true],
  [{ 'a.0': { $size: 2 } }, true],
  [{ 'a.0.0': 1 }, true],
  [{ 'a.1': 1 }, true],
  [{ a: [1, 'x'] }, true],
])('a list at a place in a list is taken as it is: %j is %s', (query, found) => {
  expect(matches(query, { a: [[1, 'x'], 1] })).toBe(found);
});

import { describe, expect, it } from '@jest/globals';
import { frozenCopy, mergeOptions } from '../../src/configuration/merge.ts';

class Key {
  readonly secret = 'x';
}

describe('options that are joined', () => {
  it('have the later value of each name, and what only one has', () => {
    expect(mergeOptions({ a: 1, b: 1 }, undefined, { b: 2, c: 2 }, { c: null })).toEqual({ a: 1, b: 2, c: null });
    expect(mergeOptions()).toEqual({});
  });

  it('keep a value where a later one is undefined', () => {
    expect(mergeOptions({ a: 1, inner: { b: 1 } }, { a: undefined, inner: { b: undefined, c: 2 } })).toEqual({
      a: 1,
      inner: { b: 1, c: 2 },
    });
    expect(Object.keys(mergeOptions({ a: undefined }))).toEqual([]);
  });

  it('are joined inside too where both are plain objects, and else taken as they are', () => {
    const bare = Object.assign(Object.create(null) as object, { d: 4 });
    expect(mergeOptions({ o: { a: 1, p: { b: 2 } } }, { o: { p: { c: 3 } } }, { o: bare })).toEqual({
      o: { a: 1, p: { b: 2, c: 3 }, d: 4 },
    });
    const [key, list] = [new Key(), [2]];
    const joined = mergeOptions(
      { a: { x: 1 }, b: new Key(), c: [1], d: { x: 1 }, e: 'text', f: { x: 1 } },
      { a: key, b: { y: 2 }, c: list, d: 'text', e: { y: 2 }, f: null },
    );
    expect(joined).toEqual({ a: key, b: { y: 2 }, c: [2], d: 'text', e: { y: 2 }, f: null });
    expect([joined.a, joined.c]).toEqual([key, list]);
    expect(joined.a).toBe(key);
    expect(joined.c).toBe(list);
  });

  it('change none of the given objects', () => {
    const [one, other] = [{ o: { a: 1 } }, { o: { b: 2 } }];
    const joined = mergeOptions(one, other) as { o: { a: number } };
    joined.o.a = 5;
    expect([one, other]).toEqual([{ o: { a: 1 } }, { o: { b: 2 } }]);
  });

  it('leave out what would reach a prototype', () => {
    const source = JSON.parse(
      '{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } }, "prototype": { "polluted": 1 }, "a": 1 }',
    ) as object;
    const joined = mergeOptions(source, { inner: {} }, { inner: source });
    expect(Object.getPrototypeOf(joined)).toBe(Object.prototype);
    expect(Reflect.ownKeys(joined)).toEqual(['a', 'inner']);
    expect(Reflect.ownKeys(joined.inner as object)).toEqual(['a']);
    expect([joined.polluted, ({} as { polluted?: unknown }).polluted]).toEqual([undefined, undefined]);
  });
});

describe('a frozen copy', () => {
  it('is frozen at every depth, and another object', () => {
    const given = { a: [{ b: [1] }], c: { d: {} }, e: 'text', f: null, g: undefined };
    const copy = frozenCopy(given);
    expect(copy).toEqual(given);
    for (const [one, other] of [
      [copy, given],
      [copy.a, given.a],
      [copy.a[0], given.a[0]],
      [copy.a[0]?.b, given.a[0]?.b],
      [copy.c, given.c],
      [copy.c.d, given.c.d],
    ]) {
      expect(one).not.toBe(other);
      expect([Object.isFrozen(one), Object.isFrozen(other)]).toEqual([true, false]);
    }
    expect(Array.isArray(copy.a)).toBe(true);
  });

  it('shares what is no plain object, and freezes it not', () => {
    const given = { key: new Key(), bytes: Buffer.from('x'), run: () => 1 };
    const copy = frozenCopy(given);
    for (const name of ['key', 'bytes', 'run'] as const) {
      expect(copy[name]).toBe(given[name]);
      expect(Object.isFrozen(copy[name])).toBe(false);
    }
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    expect(frozenCopy(bare)).not.toBe(bare);
    expect(Object.isFrozen(frozenCopy(bare))).toBe(true);
  });
});

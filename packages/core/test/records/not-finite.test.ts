import { expect, it } from '@jest/globals';
import { notFinite } from '../../src/index.ts';

it('names the places of numbers that JSON can not give back, those nearer to the top first', () => {
  const sent = { a: { b: [1, -Infinity, NaN] }, c: Infinity, d: 5, e: Number.MAX_VALUE, bytes: new Float64Array([Infinity]) };
  const told = (path: string): object => ({ path, keyword: 'type', message: `${path} must be a finite number`, params: {} });
  expect(notFinite(sent)).toMatchObject({ code: 400, message: 'validation failed', errors: [told('c'), told('a.b.1'), told('a.b.2')] });
});

it('tells of 20 places at most, and of what comes many times once', () => {
  expect(notFinite(Array.from({ length: 100 }, () => NaN)).errors).toHaveLength(20);
  let shared: object = { n: Infinity };
  for (let level = 0; level < 60; level++) shared = { left: shared, right: shared };
  expect(notFinite(shared).errors).toMatchObject([{ path: `${'left.'.repeat(60)}n`.slice(0, 200) }]);
});

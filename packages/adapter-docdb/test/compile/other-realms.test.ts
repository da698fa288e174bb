import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { refuseDisguised } from '../../src/compile/disguised.ts';
import { plainData } from '../../src/compile/plain-data.ts';
import { copyPlain } from '../../src/copy-plain.ts';

/** What a worker, a context of `node:vm` or `structuredClone` within tests give. */
const foreign = (code: string): unknown => runInNewContext(code);

it.each([
  ['new Date(NaN)', 'A date that is none'],
  ['new Map([[1, 2]])', 'A Map can be stored where its keys are texts'],
  ['new Map([["a", new Date(NaN)]])', 'A date that is none'],
  ['new Map([["a", { _bsontype: "ObjectId" }]])', "'_bsontype' is not allowed"],
  ['Object.assign(new Set([1]), { a: 1 })', 'A Set can not be stored'],
])('refuses %s of another realm', (code, message) => {
  expect(() => {
    refuseDisguised({ value: foreign(code) });
  }).toThrow(message);
});

it('makes objects of maps of another realm, whose names are looked at then', () => {
  expect(plainData({ named: foreign('new Map([["a", new Map([["b", 1]])]])') })).toEqual({ named: { a: { b: 1 } } });
});

it('copies dates, maps and bytes of another realm', () => {
  const [date, map, bytes] = [foreign('new Date(7)'), foreign('new Map([["a", [1]]])'), foreign('new Uint8Array([1, 2])')];
  const copies = copyPlain([date, map, bytes]);
  expect(copies).toEqual([new Date(7), new Map([['a', [1]]]), new Uint8Array([1, 2])]);
  expect([date, map, bytes].map((value, index) => value === copies[index])).toEqual([false, false, false]);
});

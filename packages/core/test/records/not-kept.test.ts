import { expect, it } from '@jest/globals';
import { isKept, notKept } from '../../src/index.ts';

const told = (path: string, message = 'must be a finite number'): object => ({
  path,
  keyword: 'type',
  message: `${path} ${message}`,
  params: {},
});

it('is what JSON and UTF-8 give back', () => {
  expect([0, -0, Number.MAX_VALUE, '', '\0', 'é', '\ud83d\ude00', '\ufffd', true, null, undefined, new Date(NaN)].every(isKept)).toBe(true);
  expect([NaN, Infinity, -Infinity, '\ud800', '\udc00', 'a\udbff', '\ude00\ud83d', '\ud83d\ud83d\ude00'].some(isKept)).toBe(false);
});

it('names the places of what is not kept, those nearer to the top first', () => {
  const sent = {
    a: { b: [1, -Infinity, NaN], t: 'x\ud800' },
    c: Infinity,
    d: 5,
    e: Number.MAX_VALUE,
    bytes: new Float64Array([Infinity]),
    '\udfff': { '\ud800': '\ud800' },
  };
  const [name, text] = ['name of whole characters', 'text of whole characters'].map((what) => `${what}: it has half of a surrogate pair`);
  expect(notKept(sent)).toMatchObject({ code: 400, message: 'validation failed' });
  expect(notKept(sent).errors).toEqual([
    told('c'),
    told('\ufffd', `must have a ${name}`),
    told('a.t', `must be ${text}`),
    told('\ufffd.\ufffd', `must have a ${name}`),
    told('\ufffd.\ufffd', `must be ${text}`),
    told('a.b.1'),
    told('a.b.2'),
  ]);
});

it('tells of what is no object itself', () => {
  expect(notKept(NaN).errors).toMatchObject([{ path: '', message: 'must be a finite number' }]);
});

it('tells of 20 places at most, and of what comes many times once', () => {
  expect(notKept(Array.from({ length: 100 }, () => NaN)).errors).toHaveLength(20);
  let shared: object = { n: Infinity };
  for (let level = 0; level < 60; level++) shared = { left: shared, right: shared };
  expect(notKept(shared).errors).toMatchObject([{ path: `${'left.'.repeat(60)}n`.slice(0, 200) }]);
});

it('cuts a long path between characters', () => {
  expect(notKept({ ['\ud83d\ude00'.repeat(150)]: { ['x'.repeat(199)]: NaN } }).errors).toMatchObject([
    { path: '\ud83d\ude00'.repeat(100) },
  ]);
  expect(notKept({ [`x${'\ud83d\ude00'.repeat(150)}`]: NaN }).errors).toMatchObject([{ path: `x${'\ud83d\ude00'.repeat(99)}\ufffd` }]);
});

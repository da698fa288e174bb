import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { holdsNothing } from '../../src/adapter.ts';

class Hidden {
  readonly #value = 1;
  toJSON(): number {
    return this.#value;
  }
}

class Empty {}

/** As moments of dayjs and numbers of decimal.js. */
class Moment {
  readonly $y = 2020;
  readonly $d = new Date(0);
  readonly #json: unknown;

  constructor(json: unknown) {
    this.#json = json;
  }

  toJSON(): unknown {
    if (this.#json instanceof Error) throw this.#json;
    return this.#json;
  }
}

class Named {
  readonly [Symbol.toStringTag] = 'Named';
  name = 'a';
}

it.each([
  ['a set', new Set([1])],
  ['a set with properties', Object.assign(new Set([1]), { a: 1 })],
  ['a promise', Promise.resolve(1)],
  ['a set of another realm with properties', runInNewContext('Object.assign(new Set([1]), { a: 1 })') as object],
  ['a promise of another realm with properties', runInNewContext('Object.assign(Promise.resolve(1), { a: 1 })') as object],
  ['an error', new Error('a')],
  ['an address', new URL('http://localhost/')],
  ['bytes without a view', new ArrayBuffer(1)],
  ['an iterator', [1].values()],
  ['a number in an object', Object(1) as object],
  ['a weak map', new WeakMap()],
  ['an instance of a class with nothing but its JSON', new Hidden()],
  ['an instance of a class whose JSON is a text', new Moment('2020-01-01T00:00:00.000Z')],
  ['an instance of a class whose JSON is nothing, as it is of a moment that is none', new Moment(null)],
])('nothing would be stored of %s', (_name, value) => {
  expect(holdsNothing(value)).toBe(true);
});

it.each([
  ['a plain object', { a: 1 }],
  ['an empty one', {}],
  ['one without a prototype', Object.create(null) as object],
  ['a list', [1]],
  ['an empty list', []],
  ['a map', new Map()],
  ['a date', new Date()],
  ['a pattern', /a/],
  ['bytes', new Uint8Array()],
  ['a view', new DataView(new ArrayBuffer(1))],
  ['an instance of a class', new Named()],
  ['an instance of a class without properties', new Empty()],
  ['an instance of a class whose JSON is an object', new Moment({ year: 2020 })],
  ['an instance of a class whose JSON can not be made', new Moment(new Error('no JSON'))],
  ['a date with properties', Object.assign(new Date(), { zone: 'UTC' })],
  ['an error with properties', Object.assign(new Error('a'), { code: 'b' })],
  ['a value of a database', { __proto__: { _bsontype: 'MinKey' } }],
  ['what says itself what is stored of it', { __proto__: { toBSON: () => 1, toJSON: () => 1 } }],
])('something is stored of %s', (_name, value) => {
  expect(holdsNothing(value)).toBe(false);
});

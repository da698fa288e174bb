import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { kindOf } from '../../src/records/value-kind.ts';

/** A value of the database, as its driver makes it. */
class ObjectId {
  readonly hex = 'a';

  get _bsontype(): string {
    return 'ObjectId';
  }

  toJSON(): string {
    return this.hex;
  }
}

class Plain {
  readonly pin = 1;
}

class OwnJson extends Plain {
  toJSON(): object {
    return { pin: 2 };
  }
}

describe('how a value of a record is looked into', () => {
  it.each<[string, object, string]>([
    ['an object', { a: 1 }, 'object'],
    ['one without a prototype', Object.create(null) as object, 'object'],
    ['one that makes its own JSON', { toJSON: () => 1 }, 'json'],
    ['one without a prototype that does', Object.assign(Object.create(null) as object, { toJSON: () => 1 }), 'json'],
    ['one with a property of that name', { toJSON: 'text' }, 'object'],
    ['an object of a class', new Plain(), 'object'],
    ['one of a class that makes its own JSON', new OwnJson(), 'json'],
    ['a list', [1], 'list'],
    ['a list that makes JSON', Object.assign([1], { toJSON: () => 1 }), 'list'],
    ['a date that makes other JSON', Object.assign(new Date(0), { toJSON: () => 1 }), 'json'],
    ['an address that does', Object.assign(new URL('http://localhost'), { toJSON: () => 1 }), 'json'],
    ['a pattern that does', Object.assign(/a/, { toJSON: () => 1 }), 'json'],
    ['a map', new Map(), 'map'],
    ['a set', new Set(), 'set'],
    ['a date', new Date(0), 'leaf'],
    ['a pattern', /a/, 'leaf'],
    ['an address', new URL('http://localhost'), 'leaf'],
    ['bytes, which make JSON of their own', Buffer.from('a'), 'leaf'],
    ['other bytes', new Uint8Array(1), 'leaf'],
    ['a part of memory', new ArrayBuffer(1), 'leaf'],
    ['a promise', Promise.resolve(), 'leaf'],
    ['a stream', Readable.from(['a']), 'leaf'],
    ['what is read one after another', (async function* () {})(), 'leaf'],
    [
      'what can be led elsewhere',
      new (class {
        pipe(): void {}
      })(),
      'leaf',
    ],
    [
      'what has something else of that name',
      new (class {
        pipe = 'text';
      })(),
      'object',
    ],
    ['a value of the database', new ObjectId(), 'leaf'],
    ['what says of itself that it is one', { _bsontype: 'ObjectId', pin: 1 }, 'object'],
    [
      'an object of a class that says so',
      new (class {
        _bsontype = 'ObjectId';
        pin = 1;
      })(),
      'object',
    ],
  ])('%s', (_what, value, kind) => {
    expect(kindOf(value)).toBe(kind);
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { eventLog } from '../../src/index.ts';

// Nothing connects to it.
const client = new MongoClient('mongodb://127.0.0.1:1/shop');
const db = client.db();
afterAll(() => client.close());

const TAKES = 'eventLog() takes a database of the mongodb driver, a promise of one or a function, and ';
const NONE: [what: string, given: unknown, said: string][] = [
  ['nothing', undefined, 'not undefined'],
  ['null', null, 'not null'],
  ['an address', 'mongodb://localhost', 'not string'],
  ['a client', client, 'this is a client: write client.db()'],
  ['a collection', db.collection('events'), 'this is a collection: the log has one of its own, by the option collection'],
];

describe('the database of an event log', () => {
  it.each(NONE)('is refused where it is known to be none: %s', (_what, given, said) => {
    expect(() => eventLog(given as never)).toThrow(new TypeError(`${TAKES}${said}`));
  });

  it.each(NONE)('is refused when the log starts, where a function or a promise gives none: %s', async (_what, given, said) => {
    for (const source of [() => given, Promise.resolve(given)])
      await expect(eventLog(source as never).start()).rejects.toThrow(new TypeError(`${TAKES}${said}`));
  });

  it('is one, or what gives it', () => {
    for (const source of [db, Promise.resolve(db), () => db]) expect(() => eventLog(source)).not.toThrow();
  });
});

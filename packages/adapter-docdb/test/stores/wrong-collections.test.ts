import { afterAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DocDbIdempotencyStore, DocDbLimiterStore, sessionStore, type CollectionSource } from '../../src/index.ts';

// Nothing connects to it.
const client = new MongoClient('mongodb://127.0.0.1:1/shop');
const db = client.db();
afterAll(() => client.close());

type Store = (source: CollectionSource) => unknown;

const STORES: [name: string, make: Store, use: (store: never) => Promise<unknown>][] = [
  ['sessionStore()', sessionStore, (store: ReturnType<typeof sessionStore>) => store.find()],
  [
    'DocDbLimiterStore',
    (source) => new DocDbLimiterStore(source),
    (store: DocDbLimiterStore) => store.attempt('a', { attempts: 1, window: 1000, delay: null }),
  ],
  [
    'DocDbIdempotencyStore',
    (source) => new DocDbIdempotencyStore(source),
    (store: DocDbIdempotencyStore) => store.take({ key: 'a', holder: 'b' }, 'c', 1000),
  ],
];
const NONE: [what: string, given: unknown, said: string][] = [
  ['nothing', undefined, 'and not undefined'],
  ['null', null, 'and not null'],
  ['a name', 'calls', 'and not string'],
  ['a database', db, 'and this is a database: write db.collection('],
  ['a client', client, 'and this is a client: write client.db().collection('],
];

describe.each(STORES)('%s', (name, make, use) => {
  it.each(NONE)('is refused at start what is no collection: %s', (_what, given, said) => {
    const source = given as CollectionSource;
    expect(() => make(source)).toThrow(said);
    expect(() => make(source)).toThrow(`${name} takes a collection of the mongodb driver`);
  });

  it.each(NONE)('says so of what a function gives, or a promise, with the first use: %s', async (_what, given, said) => {
    for (const source of [() => given, Promise.resolve(given)]) {
      const used = use(make(source as CollectionSource) as never);
      await expect(used).rejects.toThrow(said);
    }
  });

  it('takes a collection, and what gives one', () => {
    for (const source of [db.collection('a'), Promise.resolve(db.collection('a')), () => db.collection('a')])
      expect(() => make(source)).not.toThrow();
  });
});

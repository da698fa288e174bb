import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { type Harness, start } from '../harness.ts';
import { inManyTurns } from '../turns.ts';

/** Of so many a build gives dozens of turns. */
const MANY = 8000;

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('an index that is dropped while it is built', () => {
  it.each(['v_1', '*'])('is none, and whoever builds it is told (%s)', async (name) => {
    const items = harness.db.collection('items');
    await items.deleteMany({});
    await items.insertMany(Array.from({ length: MANY }, (_none, at) => ({ v: at })));
    const built = await inManyTurns(async () => {
      const state = { ended: false };
      const building = items
        .createIndex({ v: 1 })
        .catch((error: unknown) => error)
        .finally(() => {
          state.ended = true;
        });
      for (let dropped = false; !dropped && !state.ended;) {
        const answer = await harness.db.command({ dropIndexes: 'items', index: name }).catch(() => undefined);
        dropped = answer?.nIndexesWas === 2;
      }
      return building;
    });
    expect(built).toMatchObject({ code: 276, codeName: 'IndexBuildAborted' });
    expect(built).toBeInstanceOf(MongoServerError);
    expect((await items.indexes()).map((index) => index.name)).toEqual(['_id_']);
    expect(await items.createIndex({ v: 1 })).toBe('v_1');
    expect(await items.find({ v: 77 }).hint('v_1').toArray()).toHaveLength(1);
    await items.dropIndex('v_1');
  });
});

describe('an index while it is built', () => {
  /** Builds an index, and asks for something else meanwhile until that was answered while the build went on. */
  async function meanwhile(ask: (items: string) => Promise<string>): Promise<readonly [string, readonly string[]]> {
    const items = harness.db.collection('slow');
    await items.drop();
    await items.insertMany(Array.from({ length: MANY }, (_none, at) => ({ v: at })));
    const changes = harness.db.watch([], { showExpandedEvents: true, maxAwaitTimeMS: 50 });
    const told: string[] = [];
    await changes.tryNext();
    const answer = await inManyTurns(async () => {
      const state = { ended: false };
      const built = items
        .createIndex({ v: 1 }, { expireAfterSeconds: 3600 })
        .catch(() => undefined)
        .finally(() => {
          state.ended = true;
        });
      let answered = '';
      while (!state.ended && answered === '') {
        const { nindexes } = await harness.db.command({ collStats: 'slow' });
        if (nindexes === 2) answered = await ask('slow');
      }
      await built;
      return answered;
    });
    await harness.db.collection('after').insertOne({});
    for (let kind = ''; kind !== 'insert';) {
      kind = (await changes.next()).operationType;
      told.push(kind);
    }
    await changes.close();
    await harness.db.collection('after').drop();
    return [answer, told];
  }

  it('is told of by no event where it is dropped, as there was none of its making', async () => {
    const [answer, told] = await meanwhile((items) =>
      harness.db.command({ dropIndexes: items, index: '*' }).then(({ nIndexesWas }) => String(nIndexesWas)),
    );
    expect(answer).toBe('2');
    expect(told).not.toContain('dropIndexes');
    expect(told).not.toContain('createIndexes');
  });

  it('is none that collMod changes', async () => {
    const [answer, told] = await meanwhile((items) =>
      harness.db.command({ collMod: items, index: { keyPattern: { v: 1 }, hidden: true } }).then(
        () => 'changed',
        (error: unknown) => (error instanceof MongoServerError ? String(error.code) : ''),
      ),
    );
    expect(answer).toBe('27');
    expect(told.filter((kind) => kind !== 'create' && kind !== 'insert')).toEqual(['createIndexes']);
  });
});

describe('indexes of a collection without documents', () => {
  it.each([
    ['the collection', () => harness.db.collection('bare').drop()],
    ['its database', () => harness.db.dropDatabase()],
  ])('are made at once, so that nobody who drops %s meanwhile makes them fail', async (_what, drop) => {
    const bare = harness.db.collection('bare');
    for (let round = 0; round < 20; round += 1) {
      await harness.db.createCollection('bare');
      const made = bare.createIndexes([{ key: { a: 1 }, unique: true }, { key: { b: 1 } }]);
      const [names] = await Promise.all([made, drop()]);
      expect(names).toEqual(['a_1', 'b_1']);
      await drop();
    }
  });

  it('are told of one by one, after their collection', async () => {
    const changes = harness.db.watch([], { showExpandedEvents: true });
    const next = changes.next();
    await harness.db.collection('told').createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
    const told = [await next, await changes.next(), await changes.next()];
    expect(told.map((change) => [change.operationType, 'operationDescription' in change && change.operationDescription])).toMatchObject([
      ['create', {}],
      ['createIndexes', { indexes: [{ name: 'a_1' }] }],
      ['createIndexes', { indexes: [{ name: 'b_1' }] }],
    ]);
    await changes.close();
  });
});

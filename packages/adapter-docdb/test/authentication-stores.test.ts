import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocDbLimiterStore, sessionStore } from '../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
});
afterAll(() => database.close());

describe('DocDbLimiterStore', () => {
  it('counts attempts in a window, takes one back, and forgets', async () => {
    const store = new DocDbLimiterStore(database.db.collection('counts'));
    const first = await store.consume('a', 60_000);
    expect(first.count).toBe(1);
    expect(first.resetAt - Date.now()).toBeGreaterThan(55_000);
    expect(await store.consume('a', 60_000)).toEqual({ count: 2, resetAt: first.resetAt });
    await store.restore('a');
    expect((await store.consume('a', 60_000)).count).toBe(2);
    expect((await store.consume('b', 60_000)).count).toBe(1);
    await store.reset('a');
    expect((await store.consume('a', 60_000)).count).toBe(1);
  });

  it('begins anew when the window has ended', async () => {
    const store = new DocDbLimiterStore(() => database.db.collection('counts'));
    await store.consume('short', 30);
    await store.consume('short', 30);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await store.consume('short', 30)).count).toBe(1);
  });

  it('counts each of many attempts at once, from several processes, with one command each', async () => {
    const stores = Array.from({ length: 4 }, () => new DocDbLimiterStore(database.db.collection('counts')));
    await Promise.all(stores.map((store) => store.reset('none')));
    const commands: string[] = [];
    const note = ({ commandName }: { commandName: string }) => commands.push(commandName);
    database.client.on('commandStarted', note);
    const counts = await Promise.all(Array.from({ length: 40 }, (_, index) => stores[index % 4]!.consume('many', 60_000)));
    database.client.off('commandStarted', note);
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(new Set(commands)).toEqual(new Set(['findAndModify']));
  });

  it('tries again after it could not connect', async () => {
    let reachable = false;
    const store = new DocDbLimiterStore(async () => {
      if (!reachable) throw new Error('no database');
      return database.db.collection('counts');
    });
    await expect(store.consume('later', 1000)).rejects.toThrow('no database');
    reachable = true;
    expect((await store.consume('later', 1000)).count).toBe(1);
  });
});

describe('sessionStore', () => {
  it('has the indexes that sessions need, and keeps ids as they are', async () => {
    const store = sessionStore(database.db.collection('sessions'));
    const id = 'abcdefabcdefabcdefabcdef';
    await store.create({ _id: id, kind: 'session', endedAt: null });
    expect(await database.db.collection<{ _id: string }>('sessions').findOne({ _id: id })).not.toBeNull();
    const indexes = await database.db.collection('sessions').indexes();
    expect(indexes.map(({ key }) => Object.keys(key as object).join())).toEqual(
      expect.arrayContaining(['endedAt', 'user,endedAt', 'purgeAt']),
    );
  });
});

import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { framework } from '@framework/core';
import { DocDbLimiterStore, sessionStore } from '../../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
});
afterAll(() => database.close());

const LOCK = { attempts: 3, window: 60_000, delay: null };

describe('DocDbLimiterStore', () => {
  it('counts attempts, takes one back, and forgets', async () => {
    const store = new DocDbLimiterStore(database.db.collection('counts'));
    for (let round = 0; round < 3; round++) expect(await store.attempt('a', LOCK)).toMatchObject({ admitted: true, refused: 0 });
    const refused = await store.attempt('a', LOCK);
    expect(refused).toMatchObject({ admitted: false, refused: 1 });
    expect(refused.readyAt - Date.now()).toBeGreaterThan(55_000);
    expect(await store.attempt('a', LOCK)).toMatchObject({ admitted: false, refused: 2, readyAt: refused.readyAt });
    await store.restore('a', LOCK, refused);
    expect(await store.attempt('a', LOCK)).toMatchObject({ admitted: true, refused: 0 });
    expect(await store.attempt('a', LOCK)).toMatchObject({ admitted: false, refused: 1 });
    expect((await store.attempt('b', LOCK)).admitted).toBe(true);
    await store.reset('a');
    expect((await store.attempt('a', LOCK)).admitted).toBe(true);
  });

  it.each([null, 500])(
    'holds nothing back behind a free attempt, not for a process whose clock is behind either, with a delay of %p',
    async (delay) => {
      const store = new DocDbLimiterStore(database.db.collection('counts'));
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
      try {
        const ahead = await store.attempt(`clocks ${delay}`, { ...LOCK, delay });
        clock.mockReturnValue(now - 10);
        const behind = await store.attempt(`clocks ${delay}`, { ...LOCK, delay });
        const free = { admitted: true, refused: 0, readyAt: 0, wait: 0 };
        expect([ahead, behind]).toEqual([free, free]);
      } finally {
        clock.mockRestore();
      }
    },
  );

  it.each([-3_600_000, -960_000, -60_000, 60_000, 960_000, 3_600_000])(
    'admits no more than may be where the clock of every other process differs by %p milliseconds',
    async (difference) => {
      const store = new DocDbLimiterStore(database.db.collection('counts'));
      const key = `differ ${difference}`;
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now');
      try {
        const admitted: boolean[] = [];
        for (let attempt = 0; attempt < 8; attempt++) {
          clock.mockReturnValue(attempt % 2 === 0 ? now : now + difference);
          admitted.push((await store.attempt(key, LOCK)).admitted);
        }
        expect(admitted).toEqual([true, true, true, false, false, false, false, false]);
      } finally {
        clock.mockRestore();
      }
    },
  );

  it('admits no more than may be, of many attempts at once from several processes, with one command each', async () => {
    const stores = Array.from({ length: 4 }, () => new DocDbLimiterStore(database.db.collection('counts')));
    await Promise.all(stores.map((store) => store.reset('none')));
    const commands: string[] = [];
    const note = ({ commandName }: { commandName: string }) => commands.push(commandName);
    database.client.on('commandStarted', note);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => stores[index % 4]!.attempt('many', LOCK)));
    database.client.off('commandStarted', note);
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(3);
    expect(new Set(answers.map(({ refused }) => refused)).size).toBe(38);
    expect(new Set(commands)).toEqual(new Set(['findAndModify']));
  });

  it('tries again after it could not connect', async () => {
    let reachable = false;
    const store = new DocDbLimiterStore(async () => {
      if (!reachable) throw new Error('no database');
      return database.db.collection('counts');
    });
    await expect(store.attempt('later', LOCK)).rejects.toThrow('no database');
    reachable = true;
    expect((await store.attempt('later', LOCK)).admitted).toBe(true);
  });
});

describe('sessionStore', () => {
  it('is closed to calls from outside, whether or not an authentication service uses it', async () => {
    const app = framework();
    app.use('sessions', sessionStore(database.db.collection('closed')));
    const store = app.service('sessions');
    await store.create({ _id: 'a', user: 1 });
    const params = { provider: 'rest' };
    const calls = [
      store.find(params),
      store.get('a', params),
      store.create({ _id: 'forged', user: 1 }, params),
      store.update('a', { user: 2 }, params),
      store.patch('a', { user: 2 }, params),
      store.remove('a', params),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 405, message: 'Sessions are for the server alone' });
    expect(await store.find()).toEqual([{ _id: 'a', user: 1 }]);
  });

  it('has the indexes that sessions need, and keeps ids as they are', async () => {
    const store = sessionStore(database.db.collection('sessions'));
    const id = 'abcdefabcdefabcdefabcdef';
    await store.create({ _id: id, kind: 'session', endedAt: null });
    expect(await database.db.collection<{ _id: string }>('sessions').findOne({ _id: id })).not.toBeNull();
    const indexes = await database.db.collection('sessions').indexes();
    expect(indexes.map(({ key }) => Object.keys(key as object).join())).toEqual(expect.arrayContaining(['user,usedAt', 'purgeAt']));
  });
});

import { MemoryService, Random } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { Changes, type Change } from '../../src/sessions/changes.ts';
import { Epochs, epochKey } from '../../src/sessions/epoch.ts';
import { sessionSettings, type SessionSettings } from '../../src/sessions/session-settings.ts';
import { sessionScope } from '../../src/sessions/session-scope.ts';
import { Sessions } from '../../src/sessions/sessions.ts';
import { MemoryRevokedTokens } from '../../src/sessions/revoked-tokens.ts';
import type { SessionStoreService } from '../../src/sessions/session-types.ts';

const SCOPE = { service: 'authentication', audience: 'a', entity: 'users' };
const newStore = (): SessionStoreService => new MemoryService({ multi: true }) as unknown as SessionStoreService;
const DEFAULTS = sessionSettings(true) as SessionSettings;
const sessionsOn = (store: SessionStoreService, scope = SCOPE, reused: unknown[] = [], settings = DEFAULTS): Sessions =>
  new Sessions({
    settings,
    scope,
    service: () => store,
    serverKey: () => Buffer.alloc(32, 3),
    reused: (reuse) => reused.push(reuse),
  });

const START = Date.UTC(2030, 0, 1);

/** Does something at a given time of the clock. */
async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => time);
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

describe('epochs', () => {
  it('only grow, from 0, and once for many who raise them at one time', async () => {
    const epochs = new Epochs(newStore);
    const store = newStore();
    const shared = Array.from({ length: 5 }, () => new Epochs(() => store));
    expect(await epochs.read('user:x')).toBe(0);
    expect(await (shared[0] as Epochs).raise('user:x')).toBe(1);
    const raised = await Promise.all(shared.map((one) => one.raise('user:x')));
    expect(new Set(raised).size).toBeLessThanOrEqual(5);
    expect(Math.min(...raised)).toBeGreaterThan(1);
    expect(await (shared[0] as Epochs).read('user:x')).toBe(Math.max(...raised));
  });

  it('are of one service, audience, entity service and user', () => {
    const keys = [
      epochKey(SCOPE, '1'),
      epochKey(SCOPE, '2'),
      epochKey({ ...SCOPE, service: 'b' }, '1'),
      epochKey({ ...SCOPE, audience: 'b' }, '1'),
      epochKey({ ...SCOPE, entity: 'b' }, '1'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('changes', () => {
  const session = (id: number): Change => ({ kind: 'session', id: String(id) });

  it('reach every process once, in order, whoever announced them and at whatever moment', async () => {
    const store = newStore();
    const writers = Array.from({ length: 3 }, () => new Changes(() => store));
    const reader = new Changes(() => store);
    await reader.ask();
    const random = new Random(7);
    const heard: string[] = [];
    const listen = async (): Promise<void> => {
      const news = await reader.ask();
      if (news.kind === 'lost') throw new Error('lost');
      heard.push(...news.changes.map((change) => (change as { id: string }).id));
    };
    for (let round = 0; round < 40; round++) {
      const ids = Array.from({ length: 1 + random.below(5) }, (_, index) => round * 10 + index);
      await Promise.all([...ids.map((id) => random.pick(writers).announce(session(id))), random.oneIn(2) ? listen() : undefined]);
    }
    await listen();
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBeGreaterThan(80);
    expect(new Set(heard.map((id) => Math.floor(Number(id) / 10))).size).toBe(40);
  });

  it('that are too many to be remembered are told as lost', async () => {
    const store = newStore();
    const [writer, reader] = [new Changes(() => store), new Changes(() => store)];
    await reader.ask();
    for (let id = 0; id < 300; id++) await writer.announce(session(id));
    expect(await reader.ask()).toEqual({ kind: 'lost' });
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: [] });
  });

  it('of a store that was emptied are heard again from the first one on', async () => {
    let store = newStore();
    const [writer, reader] = [new Changes(() => store), new Changes(() => store)];
    await reader.ask();
    for (let id = 0; id < 5; id++) await writer.announce(session(id));
    await reader.ask();
    store = newStore();
    await writer.announce(session(6));
    expect(await reader.ask()).toEqual({ kind: 'lost' });
    await writer.announce(session(7));
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: [session(7)] });
  });

  it('that could not be written fail, and are written with the next', async () => {
    const store = newStore();
    const changes = new Changes(() => store);
    const { create } = store;
    store.create = () => Promise.reject(new Error('down'));
    await expect(changes.announce(session(1))).rejects.toMatchObject({ code: 503 });
    store.create = create.bind(store);
    await changes.announce(session(2));
  });
});

describe('sessions', () => {
  it('that began in an epoch before have ended, and no clock has a part in it', async () => {
    const store = newStore();
    const [here, there] = [sessionsOn(store), sessionsOn(store)];
    const begin = async (at: Sessions): Promise<string> => {
      const draft = at.begin('1', await at.epochOf('1'));
      await draft.store();
      return draft.id;
    };
    const id = await begin(there);
    await here.check(id, '1');
    await here.endAll('1');
    await expect(here.check(id, '1')).rejects.toMatchObject({ code: 401, data: { name: 'SessionEnded' } });
    expect(await here.list('1')).toEqual([]);
    const next = await begin(there);
    await expect(here.check(next, '1')).resolves.toMatchObject({ user: '1', epoch: 1 });
    await expect(here.check(next, '2')).rejects.toMatchObject({ code: 401 });
    await expect(here.endAll('')).rejects.toThrow('needs the id of a user');
    for (const one of [here, there]) one.stop();
  });

  it('that were not refreshed in time give no access either', async () => {
    const store = newStore();
    const settings = sessionSettings({ idle: 10 }) as SessionSettings;
    const sessions = sessionsOn(store, SCOPE, [], settings);
    const id = await at(START, async () => {
      const draft = sessions.begin('1', 0);
      await draft.store();
      await sessions.check(draft.id, '1');
      return draft.id;
    });
    await expect(at(START + 9999, () => sessions.check(id, '1'))).resolves.toBeDefined();
    const later = START + 11_000;
    await expect(at(later, () => sessions.check(id, '1'))).rejects.toMatchObject({ code: 401, data: { name: 'SessionEnded' } });
    // Refreshed by another process meanwhile, it counts, although this one has remembered another end.
    await store.patch(id, { idleUntil: later + 60_000, expiresAt: later + 60_000 });
    await expect(at(later, () => sessions.check(id, '1'))).resolves.toBeDefined();
    sessions.stop();
  });

  it('S19 are checked with knowledge of the last 0.9 seconds, by the stopwatch of the process, and without a question before that', async () => {
    const store = newStore();
    const [here, there] = [sessionsOn(store), sessionsOn(store)];
    let now = 1000;
    const stopwatch = jest.spyOn(performance, 'now').mockImplementation(() => now);
    // Questions that nobody waits for are of no interest here.
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation((() => ({ unref: () => undefined })) as never);
    try {
      const draft = there.begin('1', 0);
      await draft.store();
      await there.check(draft.id, '1');
      const find = jest.spyOn(store, 'find');
      const get = jest.spyOn(store, 'get');
      for (let round = 0; round < 200; round++) await there.check(draft.id, '1');
      now += 899;
      await there.check(draft.id, '1');
      expect([find.mock.calls.length, get.mock.calls.length]).toEqual([0, 0]);
      await here.end(draft.id);
      now += 2;
      await expect(there.check(draft.id, '1')).rejects.toMatchObject({ code: 401 });
    } finally {
      stopwatch.mockRestore();
      timers.mockRestore();
    }
    for (const one of [here, there]) one.stop();
  });

  it('S5 that do not exist are not remembered: naming keys pushes nobody out', async () => {
    const store = newStore();
    const sessions = sessionsOn(store, SCOPE, [], sessionSettings({ cacheSize: 3 }) as SessionSettings);
    const draft = sessions.begin('1', 0);
    await draft.store();
    await sessions.check(draft.id, '1');
    for (let key = 0; key < 10; key++) expect(await sessions.findKey(`no key ${key}`)).toBeUndefined();
    const read: string[] = [];
    const { get } = store;
    store.get = async (id) => {
      read.push(id);
      return get.call(store, id);
    };
    await sessions.check(draft.id, '1');
    expect(read).not.toContain(draft.id);
    sessions.stop();
  });

  it('S46 that can not be asked for are neither alive nor ended: 503', async () => {
    const broken = { id: 'id', find: fail, get: fail, create: fail, patch: fail } as unknown as SessionStoreService;
    const sessions = sessionsOn(broken);
    await expect(sessions.check('x', '1')).rejects.toMatchObject({ code: 503 });
    await expect(sessions.endAll('1')).rejects.toMatchObject({ code: 503 });
    await expect(sessions.epochOf('1')).rejects.toMatchObject({ code: 503 });
    sessions.stop();
  });

  it('S20 of refresh tokens: the successor is the same for the same token, and another with another key of the server', async () => {
    const store = newStore();
    const sessions = sessionsOn(store);
    const draft = sessions.begin('1', 0);
    await draft.store();
    const prepared = await Promise.all([1, 2].map(() => sessions.refreshTokens.prepare(draft.refreshToken, {})));
    expect(new Set(prepared.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    // Nothing is written before the draft is stored.
    await expect(sessions.refreshTokens.prepare(draft.refreshToken, {})).resolves.toBeDefined();
    await prepared[0]?.store();
    await expect(prepared[1]?.store()).rejects.toMatchObject({ code: 401 });
    sessions.stop();
  });

  it.each([-50_000, 15_000, 50_000])(
    'S20 of a process whose clock is off by %i ms: a refresh token that two processes get at once is no false alarm',
    async (offset) => {
      const store = newStore();
      const reused: unknown[] = [];
      const [one, two] = [sessionsOn(store), sessionsOn(store, SCOPE, reused)];
      const { draft, won } = await at(START, async () => {
        const draft = one.begin('1', 0);
        await draft.store();
        const won = await one.refreshTokens.prepare(draft.refreshToken, {});
        await won.store();
        won.answered();
        return { draft, won };
      });
      const second = at(START + offset, () => two.refreshTokens.prepare(draft.refreshToken, {}));
      await expect(second).rejects.toMatchObject({ code: 401 });
      expect(reused).toEqual([]);
      await expect(at(START, () => one.check(draft.id, '1'))).resolves.toBeDefined();
      // A token from before that one is no matter of clocks.
      await at(START, async () => (await one.refreshTokens.prepare(won.refreshToken, {})).store());
      await expect(two.refreshTokens.prepare(draft.refreshToken, {})).rejects.toMatchObject({ code: 401 });
      expect(reused).toEqual([{ session: draft.id, user: '1' }]);
      for (const sessions of [one, two]) sessions.stop();
    },
  );

  it('belong to service, audience and entity', () => {
    expect(sessionScope('auth', { jwtOptions: { audience: ['b', 'a'] }, entity: 'user', service: 'users' })).toEqual({
      service: 'auth',
      audience: 'a b',
      entity: 'users',
    });
    expect(sessionScope('auth', { entity: null, service: 'users' }).entity).toBe('');
  });

  it.each([
    [{ typo: 1 }],
    [{ cookie: 'yes' }],
    [{ cookie: true, refresh: 'json' }],
    [{ sameSite: 'None' }],
    [{ origins: 'x' }],
    [{ cacheSize: 0 }],
  ])('with the option %j are refused', (option) => {
    expect(() => sessionSettings(option)).toThrow(/^'authentication\.sessions[.']/);
  });
});

it('revoked tokens in memory are bounded, and nothing is forgotten that still counts', async () => {
  const revoked = new MemoryRevokedTokens(2);
  const token = (jti: string, exp: number) => ({ jti, exp });
  const later = START / 1000;
  await at(START - 1000, async () => {
    await revoked.revoke(token('a', later));
    await revoked.revoke(token('b', 1));
    await revoked.revoke(token('c', later));
    await expect(revoked.revoke(token('d', later))).rejects.toMatchObject({ code: 503 });
  });
  expect(['a', 'b', 'c'].map((jti) => revoked.isRevoked({ jti }))).toEqual([true, false, true]);
});

async function fail(): Promise<never> {
  throw new Error('no database');
}

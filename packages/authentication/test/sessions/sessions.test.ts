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
const sessionsOn = (store: SessionStoreService, scope = SCOPE, reused: unknown[] = []): Sessions =>
  new Sessions({
    settings: sessionSettings(true) as SessionSettings,
    scope,
    service: () => store,
    serverKey: () => Buffer.alloc(32, 3),
    reused: (reuse) => reused.push(reuse),
  });

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
      const draft = one.begin('1', 0);
      await draft.store();
      const won = await one.refreshTokens.prepare(draft.refreshToken, {});
      await won.store();
      won.answered();
      const now = Date.now() + offset;
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
      try {
        await expect(two.refreshTokens.prepare(draft.refreshToken, {})).rejects.toMatchObject({ code: 401 });
      } finally {
        clock.mockRestore();
      }
      expect(reused).toEqual([]);
      await expect(one.check(draft.id, '1')).resolves.toBeDefined();
      // A token from before that one is no matter of clocks.
      const next = await one.refreshTokens.prepare(won.refreshToken, {});
      await next.store();
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
    expect(() => sessionSettings(option)).toThrow("'authentication.sessions.");
  });
});

it('revoked tokens in memory are bounded, and nothing is forgotten that still counts', async () => {
  const revoked = new MemoryRevokedTokens(2);
  const token = (jti: string, exp: number) => ({ jti, exp });
  const later = Math.floor(Date.now() / 1000) + 1000;
  await revoked.revoke(token('a', later));
  await revoked.revoke(token('b', 1));
  await revoked.revoke(token('c', later));
  await expect(revoked.revoke(token('d', later))).rejects.toMatchObject({ code: 503 });
  expect(['a', 'b', 'c'].map((jti) => revoked.isRevoked({ jti }))).toEqual([true, false, true]);
});

async function fail(): Promise<never> {
  throw new Error('no database');
}

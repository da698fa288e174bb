import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  formatRefreshToken,
  isOwnRefreshToken,
  isSame,
  parseRefreshToken,
  randomId,
  randomSecret,
} from '../../src/sessions/refresh-token.ts';
import type { SessionClient } from '../../src/sessions/session-client.ts';
import type { SessionDraft } from '../../src/sessions/session-draft.ts';
import { sessionSettings, type SessionOptions, type SessionSettings } from '../../src/sessions/session-settings.ts';
import { Sessions } from '../../src/sessions/sessions.ts';
import type { SessionStoreService } from '../../src/sessions/session-types.ts';

const SCOPE = { service: 'authentication', audience: 'a', entity: 'users' };
const START = Date.UTC(2030, 0, 1);
const INVALID = { code: 401, message: 'Invalid refresh token' };
const HERE: SessionClient = { address: '192.0.2.1', agent: 'Browser' };
const THERE: SessionClient = { address: '198.51.100.1', agent: 'Other' };

interface Process {
  readonly sessions: Sessions;
  readonly reused: unknown[];
}

const begun: Sessions[] = [];
afterEach(() => {
  for (const sessions of begun.splice(0)) sessions.stop();
});

function processOn(store: MemoryService, options: SessionOptions = {}, scope = SCOPE, key = 3): Process {
  const reused: unknown[] = [];
  const sessions = new Sessions({
    settings: sessionSettings(options) as SessionSettings,
    scope,
    service: () => store as unknown as SessionStoreService,
    serverKey: () => Buffer.alloc(32, key),
    reused: (reuse) => reused.push(reuse),
  });
  begun.push(sessions);
  return { sessions, reused };
}

/** Does something at a given time after the start. */
async function at<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => START + milliseconds);
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

/** Lets a process ask for a second whether another one answers, without waiting for it. */
async function withoutWaiting<T>(work: () => Promise<T>, between?: () => Promise<unknown>): Promise<T> {
  let now = performance.now();
  const spies = [
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 100)),
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void) => {
      void Promise.resolve(between?.()).then(() => setImmediate(ring));
      return { unref: () => undefined };
    }) as never),
  ];
  try {
    return await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

async function begin({ sessions }: Process, user = '1'): Promise<{ id: string; token: string }> {
  const draft = await at(0, async () =>
    sessions.begin(user, await sessions.epochOf(user), HERE, { entity: { password: 'x' }, fields: ['password'] }),
  );
  await draft.store();
  return { id: draft.id, token: String(draft.refreshToken) };
}

/** Refreshes to its end, as a login does. */
async function refresh({ sessions }: Process, token: unknown, client = HERE): Promise<SessionDraft & { token: string }> {
  const draft = await sessions.refreshTokens.prepare(token, client);
  await draft.store();
  draft.answered();
  // What was noted is in the store.
  await new Promise((resolve) => setImmediate(resolve));
  return { ...draft, token: String(draft.refreshToken) };
}

const rowOf = (store: MemoryService, id: string): Record<string, unknown> => store.store.get(id) as Record<string, unknown>;

describe('a refresh token', () => {
  it('names its session, and is known again by the key of that alone', () => {
    const [session, secret, key] = [randomId(), randomSecret(), randomSecret()];
    const token = formatRefreshToken(session, secret, key);
    const parsed = parseRefreshToken(token);
    expect(parsed).toMatchObject({ session, secret, digest: expect.stringMatching(/^[\w-]{43}$/) });
    expect(parsed && [isOwnRefreshToken(parsed, key), isOwnRefreshToken(parsed, randomSecret())]).toEqual([true, false]);
    expect(parsed && isOwnRefreshToken({ ...parsed, session: randomId() }, key)).toBe(false);
    expect(parsed && isOwnRefreshToken({ ...parsed, secret: randomSecret() }, key)).toBe(false);
    expect([isSame('a', 'a'), isSame('a', 'b'), isSame('a', 'ab'), isSame('', 'a')]).toEqual([true, false, false, false]);
    expect(session).toMatch(/^[\w-]{22}$/);
    expect(secret).toMatch(/^[\w-]{43}$/);
  });

  it('has three parts of their lengths, and nothing around them', () => {
    const token = formatRefreshToken(randomId(), randomSecret(), 'key');
    const [session = '', secret = '', tag = ''] = token.split('.');
    const wrong = [
      undefined,
      5,
      '',
      `${token}a`,
      `a${token}`,
      ` ${token}`,
      `${token}\n`,
      `${session}.${secret}`,
      `${session}.${secret}.${tag.slice(1)}`,
      `${session.slice(1)}.${secret}.${tag}`,
      `${session}.${secret.slice(1)}.${tag}`,
      token.replaceAll('.', '-'),
      'a'.repeat(101),
    ];
    for (const text of wrong) expect(parseRefreshToken(text)).toBeUndefined();
  });
});

describe('refreshing a session', () => {
  it('replaces its token, and lets it live for as long as it was to live idle, up to its end', async () => {
    const store = new MemoryService();
    const here = processOn(store, { maxAge: 1000, idle: 600 });
    const { id, token } = await begin(here);
    expect(rowOf(store, id)).toMatchObject({
      usedAt: START,
      idleUntil: START + 600_000,
      expiresAt: START + 1_000_000,
      previous: null,
      rotatedAt: null,
    });
    const second = await at(100_000, () => refresh(here, token));
    expect(second).toMatchObject({
      id,
      user: '1',
      claims: { sid: id, iat: (START + 100_000) / 1000 },
      jwtid: expect.stringMatching(/^[\w-]{22}$/),
    });
    const { digest } = parseRefreshToken(second.token) ?? {};
    const replaced = parseRefreshToken(token)?.digest;
    expect(rowOf(store, id)).toMatchObject({
      usedAt: START + 100_000,
      idleUntil: START + 700_000,
      rotatedAt: START + 100_000,
      refresh: digest,
      previous: replaced,
      answered: replaced,
    });
    await at(500_000, () => refresh(here, second.token));
    expect(rowOf(store, id)).toMatchObject({ idleUntil: START + 1_000_000 });
  });

  it('says whether the user still has the secrets of the session', async () => {
    const here = processOn(new MemoryService());
    const { token } = await begin(here);
    const draft = await at(0, () => here.sessions.refreshTokens.prepare(token, HERE));
    const has = (password: string): boolean => draft.hasSecrets({ entity: { password }, fields: ['password'] });
    expect([has('x'), has('y')]).toEqual([true, false]);
  });

  it('is refused for a token that is none, or not ours', async () => {
    const store = new MemoryService();
    const here = processOn(store);
    const { id, token } = await begin(here);
    const stranger = formatRefreshToken(id, randomSecret(), 'key of a stranger');
    for (const wrong of [undefined, 'x', stranger, formatRefreshToken(randomId(), randomSecret(), 'x')])
      await expect(at(0, () => here.sessions.refreshTokens.prepare(wrong, HERE))).rejects.toMatchObject(INVALID);
    expect(rowOf(store, id).endedAt).toBeNull();
    await expect(at(0, () => refresh(here, token))).resolves.toBeDefined();
    expect(here.reused).toEqual([]);
  });

  it.each<[string, (store: MemoryService, id: string, here: Process) => unknown]>([
    ['was ended', (_store, id, { sessions }) => sessions.end(id)],
    ['ended with all of its user', (_store, _id, { sessions }) => sessions.endAll('1')],
    ['is of a machine', (store, id) => Object.assign(rowOf(store, id), { kind: 'token' })],
    ['is of another service', (store, id) => Object.assign(rowOf(store, id), { service: 'other' })],
    ['is over', (store, id) => Object.assign(rowOf(store, id), { expiresAt: START })],
    ['was not refreshed in time', (store, id) => Object.assign(rowOf(store, id), { idleUntil: START })],
  ])('is refused when it %s', async (_what, change) => {
    const store = new MemoryService();
    const here = processOn(store);
    const { id, token } = await begin(here);
    await change(store, id, here);
    await expect(at(0, () => here.sessions.refreshTokens.prepare(token, HERE))).rejects.toMatchObject(INVALID);
    expect(here.reused).toEqual([]);
  });

  it.each([{ service: undefined }, { epoch: undefined }])('of an earlier version says what to do: %j', async (change) => {
    const store = new MemoryService();
    const here = processOn(store);
    const { id, token } = await begin(here);
    Object.assign(rowOf(store, id), change);
    const error = {
      code: 401,
      message: expect.stringContaining('Log in again'),
      data: { name: 'SessionOfBefore', migration: 'sessions-belong-to-a-service' },
    };
    await expect(at(0, () => here.sessions.refreshTokens.prepare(token, HERE))).rejects.toMatchObject(error);
    await expect(here.sessions.check(id, '1')).rejects.toMatchObject(error);
  });

  it('is refused where there are no refresh tokens any more', async () => {
    const store = new MemoryService();
    const { token } = await begin(processOn(store));
    await expect(at(0, () => processOn(store, { refresh: false }).sessions.refreshTokens.prepare(token, HERE))).rejects.toMatchObject(
      INVALID,
    );
  });

  it('is lost where the session ends before it is written', async () => {
    const here = processOn(new MemoryService());
    const { id, token } = await begin(here);
    const draft = await at(0, () => here.sessions.refreshTokens.prepare(token, HERE));
    await here.sessions.end(id);
    await expect(at(0, () => draft.store())).rejects.toMatchObject(INVALID);
  });

  it('can be tried again where the store failed', async () => {
    const store = new MemoryService();
    const here = processOn(store);
    const { token } = await begin(here);
    const patch = jest.spyOn(store, 'patch').mockImplementation(() => Promise.reject(new Error('no database')));
    await expect(at(0, () => refresh(here, token))).rejects.toMatchObject({ code: 503 });
    patch.mockRestore();
    await expect(at(0, () => refresh(here, token))).resolves.toBeDefined();
    expect(here.reused).toEqual([]);
  });

  it('can be tried again where the store failed after it had written', async () => {
    const store = new MemoryService();
    const here = processOn(store);
    const { token } = await begin(here);
    const { patch } = store;
    store.patch = async (...args) => {
      await patch.apply(store, args);
      throw new Error('no connection');
    };
    await expect(at(0, () => refresh(here, token))).rejects.toMatchObject({ code: 503 });
    store.patch = patch;
    const again = await at(0, () => withoutWaiting(() => refresh(here, token)));
    await expect(at(0, () => refresh(here, again.token))).resolves.toBeDefined();
    expect(here.reused).toEqual([]);
  });
});

describe('a refresh token that was used before', () => {
  it('ends its session, and is told of once', async () => {
    const store = new MemoryService();
    const here = processOn(store);
    const { id, token } = await begin(here);
    const second = await at(0, () => refresh(here, token));
    await expect(at(1, () => refresh(here, token))).rejects.toMatchObject(INVALID);
    expect(here.reused).toEqual([{ session: id, user: '1' }]);
    expect(rowOf(store, id)).toMatchObject({ endedAt: START + 1, refresh: null });
    for (const used of [token, second.token]) await expect(at(2, () => refresh(here, used))).rejects.toMatchObject(INVALID);
    expect(here.reused).toHaveLength(1);
  });

  it('ends it also when it is older than the last one, whoever sends it', async () => {
    const here = processOn(new MemoryService());
    const there = processOn(new MemoryService());
    for (const one of [here, there]) {
      const { token } = await begin(one);
      const second = await at(0, () => refresh(one, token));
      await at(1, () => refresh(one, second.token));
      await expect(at(2, () => refresh(one, token, one === here ? HERE : THERE))).rejects.toMatchObject(INVALID);
      expect(one.reused).toHaveLength(1);
    }
  });

  it('of many requests at once wins once, and is no theft', async () => {
    const store = new MemoryService();
    const here = processOn(store);
    const { id, token } = await begin(here);
    const results = await at(0, () => Promise.allSettled(Array.from({ length: 5 }, () => refresh(here, token))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(INVALID);
    expect([here.reused, rowOf(store, id).endedAt]).toEqual([[], null]);
    // Later it is one.
    await expect(at(1, () => refresh(here, token))).rejects.toMatchObject(INVALID);
    expect(here.reused).toHaveLength(1);
  });

  it('whose answer is still on its way is no theft', async () => {
    const here = processOn(new MemoryService());
    const { token } = await begin(here);
    const draft = await at(0, () => here.sessions.refreshTokens.prepare(token, HERE));
    await at(0, () => draft.store());
    await expect(at(1, () => refresh(here, token))).rejects.toMatchObject(INVALID);
    expect(here.reused).toEqual([]);
    draft.answered();
    await expect(at(1, () => refresh(here, token))).rejects.toMatchObject(INVALID);
    expect(here.reused).toHaveLength(1);
  });

  it('is answered again to the same client alone, where its answer was lost', async () => {
    for (const client of [HERE, THERE]) {
      const here = processOn(new MemoryService());
      const { token } = await begin(here);
      const draft = await at(0, () => here.sessions.refreshTokens.prepare(token, HERE));
      await at(5000, () => draft.store());
      draft.lost();
      const again = at(9000, () => withoutWaiting(() => here.sessions.refreshTokens.prepare(token, client)));
      if (client === THERE) await expect(again).rejects.toMatchObject(INVALID);
      // The pair that the first one would have got, of the moment at which it was made.
      else
        expect(await again).toMatchObject({
          refreshToken: draft.refreshToken,
          jwtid: draft.jwtid,
          claims: { sid: draft.id, iat: START / 1000 },
        });
      expect(here.reused).toHaveLength(client === THERE ? 1 : 0);
    }
  });

  it('is not lost any more once its answer has left', async () => {
    const here = processOn(new MemoryService());
    const { token } = await begin(here);
    const draft = await at(0, () => refresh(here, token));
    draft.lost();
    await expect(at(0, () => withoutWaiting(() => refresh(here, token)))).rejects.toMatchObject(INVALID);
    expect(here.reused).toHaveLength(1);
  });
});

describe('in its grace time a refresh token', () => {
  const GRACE = { refreshGrace: '5s' };

  it('counts no longer when the clock is put back by an hour', async () => {
    const store = new MemoryService();
    const server = processOn(store, GRACE);
    const { token } = await begin(server);
    const hour = 3_600_000;
    const { jwtid } = await at(hour, () => refresh(server, token));
    expect(await at(hour + 1000, () => refresh(server, token))).toMatchObject({ jwtid });
    // A correction of a second is none that matters.
    expect(await at(hour - 1000, () => refresh(server, token))).toMatchObject({ jwtid });
    await expect(at(1000, () => refresh(server, token))).rejects.toMatchObject({ code: 401 });
  });

  it('gives the same client the same pair', async () => {
    const store = new MemoryService();
    const [here, other] = [processOn(store, GRACE), processOn(store, GRACE)];
    const { token } = await begin(here);
    const second = await at(0, () => refresh(here, token));
    for (const [milliseconds, process] of [
      [5000, here],
      [65_000, other],
    ] as const) {
      const again = await at(milliseconds, () => refresh(process, token));
      expect([again.token, again.jwtid, again.claims]).toEqual([second.token, second.jwtid, second.claims]);
    }
    expect([here.reused, other.reused]).toEqual([[], []]);
  });

  it('gives the same pair where the next second began before the first was stored', async () => {
    const here = processOn(new MemoryService(), GRACE);
    const { token } = await begin(here);
    const second = await at(999, () => here.sessions.refreshTokens.prepare(token, HERE));
    await at(1001, () => second.store());
    second.answered();
    const again = await at(1002, () => refresh(here, token));
    expect([again.token, again.jwtid, again.claims]).toEqual([second.refreshToken, second.jwtid, second.claims]);
  });

  it('gives many at once the same pair', async () => {
    const here = processOn(new MemoryService(), GRACE);
    const { token } = await begin(here);
    const all = await at(0, () => Promise.all(Array.from({ length: 5 }, () => refresh(here, token))));
    expect(new Set(all.map((one) => one.token)).size).toBe(1);
    expect(here.reused).toEqual([]);
  });

  it.each<[string, number, SessionClient, boolean]>([
    ['after it', 5001, HERE, false],
    ['after it, and the tolerance of clocks', 70_001, HERE, true],
    ['for another client', 100, THERE, false],
    ['for another program', 100, { ...HERE, agent: 'Other' }, false],
  ])('is used up %s', async (_what, milliseconds, client, isOther) => {
    const store = new MemoryService();
    const [here, other] = [processOn(store, GRACE), processOn(store, GRACE)];
    const { token } = await begin(here);
    await at(0, () => refresh(here, token));
    const process = isOther ? other : here;
    await expect(at(milliseconds, () => refresh(process, token, client))).rejects.toMatchObject(INVALID);
    expect(process.reused).toHaveLength(1);
  });

  it('gives nothing to a server with another key, which could not know the pair', async () => {
    const store = new MemoryService();
    const [here, other] = [processOn(store, GRACE), processOn(store, GRACE, SCOPE, 4)];
    const { token } = await begin(here);
    await at(0, () => refresh(here, token));
    await expect(at(100, () => refresh(other, token))).rejects.toMatchObject(INVALID);
  });
});

describe('a refresh token that another process has replaced', () => {
  const replaced = async (answers = true) => {
    const store = new MemoryService();
    const [here, other] = [processOn(store), processOn(store)];
    const { id, token } = await begin(here);
    const draft = await at(0, () => here.sessions.refreshTokens.prepare(token, HERE));
    await at(0, () => draft.store());
    if (answers) draft.answered();
    await new Promise((resolve) => setImmediate(resolve));
    return { store, here, other, id, token, draft };
  };

  it.each([
    [0, 0],
    [70_000, 0],
    [70_001, 1],
    [-70_000, 0],
    [-70_001, 1],
  ])('and answered is refused %i ms later by its clock, with %i alarms: it may have been on its way', async (milliseconds, alarms) => {
    const { other, token } = await replaced();
    await expect(at(milliseconds, () => refresh(other, token))).rejects.toMatchObject(INVALID);
    expect(other.reused).toHaveLength(alarms);
  });

  it('or this one long ago, and forgot it among others, has ten seconds of its own clock', async () => {
    for (const [milliseconds, alarms] of [
      [10_000, 0],
      [10_001, 1],
    ] as const) {
      const { store, token, other, id } = await replaced();
      const fresh = await at(0, async () => other.sessions.begin('2', 0));
      await fresh.store();
      Object.assign(rowOf(store, id), { writtenBy: rowOf(store, fresh.id).writtenBy });
      await expect(at(milliseconds, () => refresh(other, token))).rejects.toMatchObject(INVALID);
      expect(other.reused).toHaveLength(alarms);
    }
  });

  it('and never answered, since it has died, is answered by this one after a second', async () => {
    const { other, token, draft } = await replaced(false);
    const again = await at(0, () => withoutWaiting(() => refresh(other, token)));
    expect(again.token).toBe(draft.refreshToken);
    expect(other.reused).toEqual([]);
  });

  it.each<[string, (world: Awaited<ReturnType<typeof replaced>>) => unknown]>([
    ['answers meanwhile', ({ store, id, token }) => Object.assign(rowOf(store, id), { answered: parseRefreshToken(token)?.digest })],
    ['replaces it again', ({ store, id }) => Object.assign(rowOf(store, id), { previous: 'another' })],
    ['ends it', ({ store, id }) => Object.assign(rowOf(store, id), { endedAt: START })],
    ['forgets it', ({ store, id }) => store.store.delete(id)],
  ])('and %s is refused, and no theft', async (_what, change) => {
    const world = await replaced(false);
    const again = at(0, () =>
      withoutWaiting(
        () => refresh(world.other, world.token),
        async () => change(world),
      ),
    );
    await expect(again).rejects.toMatchObject(INVALID);
    expect(world.other.reused).toEqual([]);
  });

  it('and that somebody else sends is a theft, answered or not', async () => {
    const { other, token, id } = await replaced(false);
    await expect(at(0, () => refresh(other, token, THERE))).rejects.toMatchObject(INVALID);
    expect(other.reused).toEqual([{ session: id, user: '1' }]);
  });
});

describe('the session of a refresh token', () => {
  it('is found also when it has ended or the token was replaced, and by nobody else', async () => {
    const store = new MemoryService();
    const here = processOn(store);
    const { id, token } = await begin(here);
    const { token: second } = await at(0, () => refresh(here, token));
    await here.sessions.end(id);
    for (const known of [token, second])
      expect(await here.sessions.refreshTokens.find(known)).toMatchObject({ id, user: '1', endedAt: expect.any(Number) });
    const elsewhere = processOn(store, {}, { ...SCOPE, service: 'other' });
    expect(await elsewhere.sessions.refreshTokens.find(token)).toBeUndefined();
    for (const wrong of [undefined, 'x', formatRefreshToken(id, randomSecret(), 'x'), formatRefreshToken(randomId(), randomSecret(), 'x')])
      expect(await here.sessions.refreshTokens.find(wrong)).toBeUndefined();
  });
});

import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { sessionSettings, type SessionOptions, type SessionSettings } from '../../src/sessions/session-settings.ts';
import { Sessions } from '../../src/sessions/sessions.ts';
import type { SessionStoreService } from '../../src/sessions/session-types.ts';

const SCOPE = { service: 'authentication', audience: 'a', entity: 'users' };
const ENDED = { code: 401, message: 'The session has ended', data: { name: 'SessionEnded' } };
const UNAVAILABLE = { code: 503, message: 'Sessions can not be checked at present', data: { retryAfter: 5 } };

const begun: Sessions[] = [];
const spies: { mockRestore(): void }[] = [];
afterEach(() => {
  for (const sessions of begun.splice(0)) sessions.stop();
  for (const spy of spies.splice(0)) spy.mockRestore();
});

/** A store that counts what is read from it by id, and fails when it is told to. */
class CountingStore extends MemoryService {
  readonly reads: string[] = [];
  isDown = false;

  override async get(...[id, params]: Parameters<MemoryService['get']>) {
    if (this.isDown) throw new Error('no database');
    this.reads.push(String(id));
    return super.get(id, params);
  }

  override async find(...args: Parameters<MemoryService['find']>) {
    if (this.isDown) throw new Error('no database');
    return super.find(...args);
  }
}

function sessionsOn(store: MemoryService, options: SessionOptions = {}, scope = SCOPE): Sessions {
  const sessions = new Sessions({
    settings: sessionSettings(options) as SessionSettings,
    scope,
    service: () => store as unknown as SessionStoreService,
    serverKey: () => Buffer.alloc(32, 3),
    reused: () => undefined,
  });
  begun.push(sessions);
  return sessions;
}

async function begin(sessions: Sessions, user = '1'): Promise<string> {
  const draft = sessions.begin(user, await sessions.epochOf(user));
  await draft.store();
  return draft.id;
}

/** A stopwatch that is moved by hand; timers never ring. */
function stopwatch(): { forward(milliseconds: number): void } {
  let now = 1000;
  spies.push(
    jest.spyOn(performance, 'now').mockImplementation(() => now),
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((() => ({ unref: () => undefined })) as never),
  );
  return { forward: (milliseconds) => void (now += milliseconds) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a session that is checked', () => {
  it('is read once, and again after half a minute', async () => {
    const { forward } = stopwatch();
    const store = new CountingStore();
    const sessions = sessionsOn(store);
    const id = await begin(sessions);
    const reads = (): number => store.reads.filter((read) => read === id).length;
    await sessions.check(id, '1');
    forward(30_000);
    await sessions.check(id, '1');
    expect(reads()).toBe(1);
    forward(1);
    await expect(sessions.check(id, '1')).resolves.toMatchObject({ id, user: '1', kind: 'session' });
    expect(reads()).toBe(2);
    // Somebody may have ended it without a word.
    Object.assign(store.store.get(id) as object, { endedAt: 1 });
    forward(30_001);
    await expect(sessions.check(id, '1')).rejects.toMatchObject(ENDED);
  });

  it('that has ended is not read again', async () => {
    const store = new CountingStore();
    const sessions = sessionsOn(store);
    const id = await begin(sessions);
    await sessions.end(id);
    store.reads.length = 0;
    await expect(sessions.check(id, '1')).rejects.toMatchObject(ENDED);
    expect(store.reads).not.toContain(id);
  });

  it.each([undefined, null, 5, '', 'none', {}])('is one: %j has ended', async (id) => {
    await expect(sessionsOn(new MemoryService()).check(id, '1')).rejects.toMatchObject(ENDED);
  });

  it('is that of the user whom the token names', async () => {
    const sessions = sessionsOn(new MemoryService());
    const id = await begin(sessions);
    for (const user of ['2', '', undefined, null, 1]) await expect(sessions.check(id, user)).rejects.toMatchObject(ENDED);
    const nobodys = await begin(sessions, '');
    await expect(sessions.check(nobodys, undefined)).resolves.toMatchObject({ user: '' });
    await expect(sessions.check(nobodys, '1')).rejects.toMatchObject(ENDED);
  });

  it('belongs to this service', async () => {
    const store = new MemoryService();
    const id = await begin(sessionsOn(store));
    for (const change of [{ service: 'x' }, { audience: 'x' }, { entity: 'x' }])
      await expect(sessionsOn(store, {}, { ...SCOPE, ...change }).check(id, '1')).rejects.toMatchObject(ENDED);
  });

  it('lives by its times, which another process may have moved', async () => {
    const store = new MemoryService();
    const sessions = sessionsOn(store);
    const id = await begin(sessions);
    await sessions.check(id, '1');
    const row = store.store.get(id) as { idleUntil: number; expiresAt: number };
    const later = row.idleUntil + 1;
    spies.push(jest.spyOn(Date, 'now').mockImplementation(() => later));
    await expect(sessions.check(id, '1')).rejects.toMatchObject(ENDED);
    Object.assign(row, { idleUntil: row.expiresAt });
    await expect(sessions.check(id, '1')).resolves.toBeDefined();
  });

  it('can not be told of where the store fails', async () => {
    const { forward } = stopwatch();
    const store = new CountingStore();
    const sessions = sessionsOn(store);
    const [one, two] = [await begin(sessions), await begin(sessions)];
    await sessions.check(one, '1');
    store.isDown = true;
    await expect(sessions.check(one, '1')).resolves.toBeDefined();
    await expect(sessions.check(two, '1')).rejects.toMatchObject(UNAVAILABLE);
    forward(901);
    await expect(sessions.check(one, '1')).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is read anew where others were checked since, more than are remembered', async () => {
    const store = new CountingStore();
    const sessions = sessionsOn(store, { cacheSize: 2 });
    const ids = [await begin(sessions, '1'), await begin(sessions, '2'), await begin(sessions, '3')];
    const check = async (index: number): Promise<unknown> => sessions.check(ids[index], String(index + 1));
    for (const index of [0, 1, 2]) await check(index);
    store.reads.length = 0;
    for (const index of [1, 2]) await check(index);
    expect(store.reads).toEqual([]);
    await check(0);
    expect(store.reads).toContain(ids[0]);
  });

  it('has ended where it ends while it is read', async () => {
    const store = new MemoryService();
    const sessions = sessionsOn(store);
    const id = await begin(sessions);
    const { get } = store;
    store.get = async (...args) => {
      const found = await get.apply(store, args);
      if (args[0] === id) {
        store.get = get;
        await sessions.end(id);
      }
      return found;
    };
    await expect(sessions.check(id, '1')).rejects.toMatchObject(ENDED);
  });

  it('has ended where all of its user end while it is read', async () => {
    const store = new MemoryService();
    const sessions = sessionsOn(store);
    const id = await begin(sessions);
    const { get } = store;
    store.get = async (...args) => {
      const found = await get.apply(store, args);
      if (args[0] === id) {
        store.get = get;
        await sessions.endAll('1');
      }
      return found;
    };
    await expect(sessions.check(id, '1')).rejects.toMatchObject(ENDED);
  });
});

describe('what another process has ended', () => {
  it('is heard within a second, each kind of it', async () => {
    const { forward } = stopwatch();
    const store = new MemoryService({ multi: true });
    const [here, other] = [sessionsOn(store), sessionsOn(store)];
    const [one, two, three] = [await begin(here, '1'), await begin(here, '2'), await begin(here, '3')];
    const state = async (): Promise<unknown[]> => [
      await here.check(one, '1').then(
        () => 'lives',
        () => 'ended',
      ),
      await here.check(two, '2').then(
        () => 'lives',
        () => 'ended',
      ),
      await here.check(three, '3').then(
        () => 'lives',
        () => 'ended',
      ),
      await here.isRevoked('token'),
    ];
    expect(await state()).toEqual(['lives', 'lives', 'lives', false]);
    await other.end(one);
    await other.endAll('2');
    await other.revoke('token', null);
    expect(await state()).toEqual(['lives', 'lives', 'lives', false]);
    forward(901);
    expect(await state()).toEqual(['ended', 'ended', 'lives', true]);
  });

  it('is read again, all of it, where it is more than is remembered', async () => {
    const { forward } = stopwatch();
    const store = new CountingStore({ multi: true });
    const [here, other] = [sessionsOn(store), sessionsOn(store)];
    const [one, two] = [await begin(here, '1'), await begin(here, '2')];
    await here.check(one, '1');
    await here.check(two, '2');
    await here.isRevoked('token');
    const told: string[] = [];
    here.watch(({ kind }) => told.push(kind));
    await other.end(one);
    await other.revoke('token', null);
    const changes = store.store.get('changes') as { version: number };
    Object.assign(changes, { version: changes.version + 300 });
    store.reads.length = 0;
    forward(901);
    await expect(here.check(one, '1')).rejects.toMatchObject(ENDED);
    await expect(here.check(two, '2')).resolves.toBeDefined();
    expect(await here.isRevoked('token')).toBe(true);
    expect(store.reads).toEqual(expect.arrayContaining([one, two, 'revoked:token']));
    expect(told).toEqual(['lost']);
  });
});

describe('a token that was logged out', () => {
  it('is known here at once, and asked for once where it was not', async () => {
    const { forward } = stopwatch();
    const store = new CountingStore();
    const sessions = sessionsOn(store);
    expect([await sessions.isRevoked('a'), await sessions.isRevoked('a')]).toEqual([false, false]);
    expect(store.reads.filter((read) => read === 'revoked:a')).toHaveLength(1);
    await sessions.revoke('a', null);
    expect(await sessions.isRevoked('a')).toBe(true);
    expect(store.store.get('revoked:a')).toEqual({ id: 'revoked:a', kind: 'revoked', purgeAt: null });
    // Twice is once.
    await sessions.revoke('a', new Date(0));
    expect(store.store.get('revoked:a')).toMatchObject({ kind: 'revoked' });
    forward(30_001);
    await sessions.isRevoked('b');
    expect(store.reads.filter((read) => read === 'revoked:a')).toHaveLength(1);
  });

  it('while it is asked for has been logged out', async () => {
    const store = new MemoryService();
    const sessions = sessionsOn(store);
    await sessions.isRevoked('other');
    const { get } = store;
    store.get = async (...args) => {
      const answer = get.apply(store, args);
      if (args[0] === 'revoked:a') {
        store.get = get;
        await answer.catch(() => undefined);
        await sessions.revoke('a', null);
      }
      return answer;
    };
    expect(await sessions.isRevoked('a')).toBe(true);
  });

  it('can not be told where the store fails', async () => {
    const store = new CountingStore();
    const sessions = sessionsOn(store);
    await sessions.isRevoked('other');
    store.isDown = true;
    await expect(sessions.isRevoked('a')).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('an end that can not be written', () => {
  it('holds here at once, and is written with the next question to the store', async () => {
    const { forward } = stopwatch();
    const store = new MemoryService();
    const [here, other] = [sessionsOn(store), sessionsOn(store)];
    const id = await begin(here);
    await other.check(id, '1');
    const { patch } = store;
    store.patch = () => Promise.reject(new Error('no database'));
    await expect(here.end(id)).rejects.toMatchObject(UNAVAILABLE);
    await expect(other.check(id, '1')).resolves.toBeDefined();
    store.patch = patch;
    forward(901);
    await expect(here.check(id, '1')).rejects.toMatchObject(ENDED);
    expect(store.store.get(id)).toMatchObject({ endedAt: expect.any(Number), refresh: null });
    await expect(other.check(id, '1')).rejects.toMatchObject(ENDED);
  });

  it('is written also while nobody checks', async () => {
    const rings: (() => void)[] = [];
    let now = 1000;
    spies.push(
      jest.spyOn(performance, 'now').mockImplementation(() => now),
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void) => {
        rings.push(ring);
        return { unref: () => undefined };
      }) as never),
    );
    const store = new MemoryService();
    const here = sessionsOn(store);
    const id = await begin(here);
    const { patch } = store;
    store.patch = () => Promise.reject(new Error('no database'));
    await expect(here.end(id)).rejects.toMatchObject(UNAVAILABLE);
    store.patch = patch;
    now += 1e6;
    expect(rings).toHaveLength(1);
    rings[0]?.();
    for (let turn = 0; turn < 5; turn++) await settled();
    expect(store.store.get(id)).toMatchObject({ endedAt: expect.any(Number) });
    // Then it is quiet.
    rings[1]?.();
    await settled();
    expect(rings).toHaveLength(2);
  });

  it('can be asked for again by whoever logs out again, of this service and its user alone', async () => {
    const store = new MemoryService();
    const [here, other] = [sessionsOn(store), sessionsOn(store, {}, { ...SCOPE, service: 'x' })];
    const id = await begin(here);
    await here.endAgain(id, '2');
    await other.endAgain(id, '1');
    await here.endAgain('none', '1');
    expect(store.store.get(id)).toMatchObject({ endedAt: null });
    await here.endAgain(id, '1');
    expect(store.store.get(id)).toMatchObject({ endedAt: expect.any(Number) });
  });
});

describe('whoever listens for ends', () => {
  it('is told to look once, when the store has first answered, and then of each end until it goes', async () => {
    const store = new MemoryService();
    const sessions = sessionsOn(store);
    const told: unknown[] = [];
    const end = sessions.watch((change) => told.push(change));
    const gone: unknown[] = [];
    sessions.watch((change) => gone.push(change))();
    await settled();
    expect(told).toEqual([{ kind: 'lost' }]);
    const id = await begin(sessions);
    await sessions.end(id);
    expect(told.slice(1)).toEqual([{ kind: 'session', id }]);
    await sessions.revoke('token', null);
    expect(told.slice(2)).toEqual([{ kind: 'token', id: 'token' }]);
    end();
    await sessions.endAll('1');
    expect([told.length, gone.length]).toEqual([3, 0]);
    const late: unknown[] = [];
    sessions.watch((change) => late.push(change));
    await settled();
    expect(late).toEqual([]);
    sessions.stop();
    await sessions.endAll('1');
    expect(late).toEqual([]);
  });

  it('is told to look also where the store fails at first', async () => {
    const store = new CountingStore();
    store.isDown = true;
    const sessions = sessionsOn(store);
    const told: unknown[] = [];
    sessions.watch((change) => told.push(change));
    await settled();
    expect(told).toEqual([{ kind: 'lost' }]);
  });
});

describe('keys of machines', () => {
  it('are found while they live, and nothing else is one', async () => {
    const store = new MemoryService();
    const sessions = sessionsOn(store);
    const machine = { user: '1', epoch: 0, secrets: undefined, name: 'nightly', scopes: null, expiresAt: null };
    await sessions.beginMachine({ ...machine, kind: 'key', id: 'key', digest: 'digest' });
    await sessions.beginMachine({ ...machine, kind: 'token', id: 'token', digest: null });
    await sessions.beginMachine({ ...machine, kind: 'key', id: 'over', digest: 'digest', expiresAt: 1 });
    const session = await begin(sessions);
    expect(await sessions.findKey('key')).toMatchObject({ id: 'key', refresh: 'digest', name: 'nightly' });
    for (const id of ['token', 'over', session, 'none', 'changes']) expect(await sessions.findKey(id)).toBeUndefined();
    await sessions.endAll('1');
    expect(await sessions.findKey('key')).toBeUndefined();
  });
});

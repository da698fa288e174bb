import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { EntitySecrets } from '../../src/entity/secret-marks.ts';
import { Changes, type Change } from '../../src/sessions/changes.ts';
import { Epochs } from '../../src/sessions/epoch.ts';
import { sessionSettings, type SessionOptions, type SessionSettings } from '../../src/sessions/session-settings.ts';
import { Sessions } from '../../src/sessions/sessions.ts';
import type { SessionStoreService } from '../../src/sessions/session-types.ts';
import { Conflict } from '@framework/errors';

const SCOPE = { service: 'authentication', audience: 'a', entity: 'users' };
const ENDED = { code: 401, message: 'The session has ended', data: { name: 'SessionEnded' } };
const having = (password: string): EntitySecrets => ({ entity: { password }, fields: ['password'] });

const begun: Sessions[] = [];
afterEach(() => {
  for (const sessions of begun.splice(0)) sessions.stop();
});

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

async function begin(sessions: Sessions, user: string, secrets?: EntitySecrets): Promise<string> {
  const draft = sessions.begin(user, await sessions.epochOf(user), {}, secrets);
  await draft.store();
  return draft.id;
}

/** What fails with every call of a method of the store, until it is taken back. */
function failing(store: MemoryService, method: 'patch' | 'create' | 'find' | 'get', error: Error = new Error('no database')): () => void {
  const before: unknown = store[method];
  Object.assign(store, { [method]: () => Promise.reject(error) });
  return () => void Object.assign(store, { [method]: before });
}

const rowOf = (store: MemoryService, id: string): Record<string, unknown> => store.store.get(id) as Record<string, unknown>;
const changesIn = (store: MemoryService): readonly Change[] => (rowOf(store, 'changes') as { recent?: Change[] } | undefined)?.recent ?? [];

describe('the sessions of a user', () => {
  it('are listed while they live, the latest used first, and nobody else has them', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const [one, two, three] = [await begin(sessions, '1'), await begin(sessions, '1'), await begin(sessions, '1')];
    await begin(sessions, '2');
    await begin(sessionsOn(store, {}, { ...SCOPE, service: 'other' }), '1');
    for (const [id, usedAt] of [
      [one, 2],
      [two, 3],
      [three, 1],
    ] as const)
      Object.assign(rowOf(store, id), { usedAt });
    const ids = async (): Promise<string[]> => (await sessions.list('1')).map(({ id }) => id);
    expect(await ids()).toEqual([two, one, three]);
    Object.assign(rowOf(store, two), { expiresAt: 0 });
    await sessions.end(three);
    expect(await ids()).toEqual([one]);
    await sessions.endAll('1');
    expect(await ids()).toEqual([]);
    expect(await sessions.list('2')).toHaveLength(1);
  });

  it('end all at once, and those that begin then do not', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const [one, other] = [await begin(sessions, '1'), await begin(sessions, '2')];
    await sessions.endAll('1');
    await expect(sessions.check(one, '1')).rejects.toMatchObject(ENDED);
    await expect(sessions.check(other, '2')).resolves.toMatchObject({ user: '2' });
    await expect(sessions.check(await begin(sessions, '1'), '1')).resolves.toMatchObject({ epoch: 1 });
    expect(changesIn(store)).toEqual([{ kind: 'user', key: expect.stringMatching(/^user:/), epoch: 1 }]);
    await expect(sessions.endAll('')).rejects.toThrow(
      new TypeError('Sessions.endAll needs the id of a user, as user.id, and got an empty text'),
    );
  });

  it('are those of a number and of an object id too, and of nothing else', async () => {
    const sessions = sessionsOn(new MemoryService({ multi: true }));
    const objectId = { toString: () => '65f0c0ffee' };
    for (const [id, text] of [
      [7, '7'],
      [objectId, '65f0c0ffee'],
    ] as const) {
      const session = await begin(sessions, text);
      expect(await sessions.list(id)).toHaveLength(1);
      await sessions.endAll(id);
      await expect(sessions.check(session, text)).rejects.toMatchObject(ENDED);
      expect(await sessions.list(id)).toEqual([]);
    }
    for (const [given, told] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [NaN, 'number'],
      [true, 'boolean'],
      [{ id: 7 }, 'object'],
      [Object.create(null), 'object'],
      [[7], 'a list'],
      [() => 7, 'function'],
    ] as const) {
      await expect(sessions.endAll(given as never)).rejects.toThrow(`needs the id of a user, as user.id, and got ${told}`);
      await expect(sessions.list(given as never)).rejects.toThrow(`Sessions.list needs the id of a user, as user.id, and got ${told}`);
    }
  });

  it('end later where the store fails, by the number that it was to have, and not twice', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const one = await begin(sessions, '1');
    await sessions.check(one, '1');
    const mend = failing(store, 'create');
    await expect(sessions.endAll('1')).rejects.toMatchObject({ code: 503 });
    mend();
    await sessions.endAll('1');
    const next = await begin(sessions, '1');
    await expect(sessions.check(next, '1')).resolves.toMatchObject({ epoch: 1 });
  });

  it('of a user that was changed end without an error, with a warning where that can not be written yet', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const one = await begin(sessions, '1', having('x'));
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const mend = failing(store, 'get');
    await sessions.ofUser.endChanged('1');
    const mendFind = failing(store, 'find');
    await sessions.ofUser.endOutdated('1', having('y'));
    mendFind();
    mend();
    const text =
      'The sessions of a user that was changed are not written as ended yet: Unavailable: Sessions can not be checked at present';
    expect(warned.mock.calls).toEqual([[text], [text]]);
    warned.mockRestore();
    await sessions.ofUser.endChanged('1');
    await expect(sessions.check(one, '1')).rejects.toMatchObject(ENDED);
  });

  it('end where they began with other secrets, and the others go on', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const [former, present, none] = [
      await begin(sessions, '1', having('x')),
      await begin(sessions, '1', having('y')),
      await begin(sessions, '1'),
    ];
    await sessions.ofUser.endOutdated('1', having('y'));
    await expect(sessions.check(former, '1')).rejects.toMatchObject(ENDED);
    for (const id of [present, none]) await expect(sessions.check(id, '1')).resolves.toBeDefined();
    expect(changesIn(store)).toEqual([{ kind: 'session', id: former }]);
  });

  it('live on through a renewed form of the same secret', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const [same, other, none] = [
      await begin(sessions, '1', having('x')),
      await begin(sessions, '1', having('z')),
      await begin(sessions, '1'),
    ];
    const before = { ...rowOf(store, none) };
    await sessions.check(same, '1');
    await sessions.ofUser.keepThroughRenewal('1', having('x'), { password: 'x, hashed anew' });
    await sessions.checkSecrets(same, having('x, hashed anew'));
    await sessions.checkSecrets(same, having('x'));
    await expect(sessions.checkSecrets(other, having('x, hashed anew'))).rejects.toMatchObject(ENDED);
    expect(rowOf(store, none)).toEqual(before);
    const mend = failing(store, 'patch');
    await expect(sessions.ofUser.keepThroughRenewal('1', having('x'), { password: 'y' })).rejects.toMatchObject({ code: 503 });
    mend();
  });

  it('are ended before a user is enabled, who waits until every process knows, where there are any', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const one = await begin(sessions, '2');
    const waits: unknown[] = [];
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
      // Questions to the store that nobody waits for are of no interest here.
      if (delay === 900) waits.push([changesIn(store).length, setImmediate(ring) && delay]);
      return { unref: () => undefined };
    }) as never);
    try {
      await sessions.ofUser.endBeforeEnabling([]);
      await sessions.ofUser.endBeforeEnabling(['1']);
      expect(waits).toEqual([]);
      await sessions.ofUser.endBeforeEnabling(['1', '2', '3']);
      expect(waits).toEqual([[4, 900]]);
    } finally {
      timers.mockRestore();
    }
    await expect(sessions.check(one, '2')).rejects.toMatchObject(ENDED);
    const mend = failing(store, 'get');
    await expect(sessions.ofUser.endBeforeEnabling(['2'])).rejects.toMatchObject({ code: 503 });
    mend();
  });
});

describe('the secrets of a session', () => {
  it('are compared with those of the user, and a session with others is ended for all', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const [one, none] = [await begin(sessions, '1', having('x')), await begin(sessions, '1')];
    await sessions.check(one, '1');
    await sessions.checkSecrets(one, having('x'));
    await sessions.checkSecrets(one, having('x'));
    await sessions.checkSecrets(none, having('whatever'));
    await expect(sessions.checkSecrets(one, having('y'))).rejects.toMatchObject(ENDED);
    expect(rowOf(store, one)).toMatchObject({ endedAt: expect.any(Number) });
    expect(changesIn(store)).toEqual([{ kind: 'session', id: one }]);
    await expect(sessions.checkSecrets(one, having('x'))).rejects.toMatchObject(ENDED);
    await expect(sessions.checkSecrets('none', having('x'))).rejects.toMatchObject(ENDED);
  });

  it('that are others end the session also where that can not be written, and those that can not be told are 503', async () => {
    const store = new MemoryService({ multi: true });
    const sessions = sessionsOn(store);
    const one = await begin(sessions, '1', having('x'));
    await sessions.check(one, '1');
    const mendGet = failing(store, 'get');
    await expect(sessions.checkSecrets(one, having('y'))).rejects.toMatchObject({ code: 503 });
    mendGet();
    const mend = failing(store, 'patch');
    await expect(sessions.checkSecrets(one, having('y'))).rejects.toMatchObject(ENDED);
    mend();
    await expect(sessions.check(one, '1')).rejects.toMatchObject(ENDED);
  });
});

describe('the number of a user’s logouts', () => {
  it('grows by one, and once for two who raise it at one time', async () => {
    const store = new MemoryService();
    const epochs = new Epochs(() => store as never);
    expect([await epochs.raise('user:x'), await epochs.raise('user:x'), await epochs.read('user:x')]).toEqual([1, 2, 2]);
    expect(rowOf(store, 'user:x')).toEqual({ id: 'user:x', kind: 'user', epoch: 2 });
    const { get } = store;
    store.get = async (...args) => {
      const found = await get.apply(store, args);
      store.get = get;
      Object.assign(rowOf(store, 'user:x'), { epoch: 7 });
      return { ...found, epoch: 2 };
    };
    expect(await epochs.raise('user:x')).toBe(7);
  });

  it('is that of whoever was first to write one', async () => {
    const store = new MemoryService({ id: '_id' });
    const epochs = new Epochs(() => store as never);
    const { create } = store;
    store.create = async () => {
      await create.call(store, { _id: 'user:x', epoch: 5 });
      throw new Conflict('taken');
    };
    expect(await epochs.raise('user:x')).toBe(5);
  });
});

describe('the list of what has ended', () => {
  const session = (id: number): Change => ({ kind: 'session', id: String(id) });

  it('counts on from what was there, and remembers the last 256', async () => {
    const store = new MemoryService({ id: '_id' });
    const [writer, reader] = [new Changes(() => store as never), new Changes(() => store as never)];
    await writer.announce(session(0));
    expect([...store.store.values()]).toEqual([{ _id: 'changes', kind: 'changes', version: 1, recent: [session(0)] }]);
    await reader.ask();
    for (let id = 1; id <= 256; id++) await writer.announce(session(id));
    const { version, recent } = store.store.get('changes') as { version: number; recent: Change[] };
    expect([version, recent.length, recent[0]]).toEqual([257, 256, session(1)]);
    // As many as are remembered are told one by one.
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: recent });
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: [] });
  });

  it('is written together where several end at one time', async () => {
    const store = new MemoryService();
    const changes = new Changes(() => store as never);
    const patch = jest.spyOn(store, 'patch');
    await Promise.all(Array.from({ length: 20 }, (_, id) => changes.announce(session(id))));
    expect(changesIn(store)).toEqual(Array.from({ length: 20 }, (_, id) => session(id)));
    expect(patch.mock.calls.length).toBeLessThan(5);
  });

  it('is tried again where another process was faster, fifty times', async () => {
    const store = new MemoryService();
    const changes = new Changes(() => store as never);
    await changes.announce(session(0));
    let tries = 0;
    const { patch } = store;
    const faster = (most: number): void => {
      store.patch = async (...args) => {
        tries += 1;
        if (tries <= most) Object.assign(rowOf(store, 'changes'), { version: Number(rowOf(store, 'changes').version) + 1 });
        return patch.apply(store, args);
      };
    };
    faster(49);
    await changes.announce(session(1));
    expect([tries, changesIn(store).at(-1)]).toEqual([50, session(1)]);
    tries = 0;
    faster(1000);
    await expect(changes.announce(session(2))).rejects.toMatchObject({
      code: 503,
      message: 'Sessions can not be ended at present: other processes end too many at once',
    });
    expect(tries).toBe(50);
    await expect(changes.announce(session(3))).rejects.toMatchObject({ code: 503 });
  });

  it('is begun by whoever is first', async () => {
    const store = new MemoryService();
    const changes = new Changes(() => store as never);
    const { create } = store;
    store.create = async () => {
      await create.call(store, { id: 'changes', kind: 'changes', version: 3, recent: [session(9)] });
      throw new Conflict('taken');
    };
    await changes.announce(session(1));
    expect(rowOf(store, 'changes')).toMatchObject({ version: 4, recent: [session(9), session(1)] });
  });

  it('is asked from the beginning, where there was none at first', async () => {
    const store = new MemoryService();
    const [writer, reader] = [new Changes(() => store as never), new Changes(() => store as never)];
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: [] });
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: [] });
    await writer.announce(session(1));
    expect(await reader.ask()).toEqual({ kind: 'changes', changes: [session(1)] });
  });
});

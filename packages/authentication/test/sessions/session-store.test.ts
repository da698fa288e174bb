import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { newSession } from '../../src/sessions/new-session.ts';
import { SessionStore } from '../../src/sessions/session-store.ts';
import type { SessionStoreService } from '../../src/sessions/session-types.ts';

const SCOPE = { service: 'authentication', audience: 'a', entity: 'users' };
const OTHER = { ...SCOPE, audience: 'b' };

const storeOn = (service: MemoryService): SessionStore => new SessionStore(() => service as unknown as SessionStoreService);
const row = (user: string, change: object = {}): ReturnType<typeof newSession> => ({
  ...newSession({ scope: SCOPE, kind: 'session', user, epoch: 0, secrets: undefined, key: 'k', process: 'me', now: 1000, client: {} }),
  ...change,
});

describe('sessions in their store', () => {
  it('have the id of the service that stores them, whatever its name', async () => {
    for (const id of ['_id', 'uuid']) {
      const service = new MemoryService({ id });
      await storeOn(service).create('one', row('1'));
      expect(service.store.get('one')).toMatchObject({ [id]: 'one', user: '1' });
      expect(await storeOn(service).read('one')).toMatchObject({ id: 'one', user: '1' });
      await storeOn(service).revoke('token', null);
      expect(service.store.get('revoked:token')).toMatchObject({ [id]: 'revoked:token' });
    }
    const nameless = Object.defineProperty(new MemoryService(), 'id', { value: undefined });
    await storeOn(nameless)
      .create('one', row('1'))
      .catch(() => undefined);
    expect([...nameless.store.values()]).toMatchObject([{ id: 'one' }]);
  });

  it('may be removed a day after their end, and never where they have none', async () => {
    const service = new MemoryService();
    await storeOn(service).create('one', row('1', { expiresAt: 5000 }));
    await storeOn(service).create('two', row('1'));
    expect(['one', 'two'].map((id) => service.store.get(id)?.purgeAt)).toEqual([new Date(5000 + 24 * 3_600_000), null]);
  });

  it.each(['session', 'token', 'key'])(
    'are read as they are, of the kind %s, also when they have ended or belong elsewhere',
    async (kind) => {
      const service = new MemoryService();
      await storeOn(service).create('one', row('1', { kind, endedAt: 1, ...OTHER }));
      expect(await storeOn(service).read('one')).toMatchObject({ id: 'one', kind, endedAt: 1 });
    },
  );

  it.each(['user', 'changes', 'revoked', undefined])('are no other records: %j', async (kind) => {
    const service = new MemoryService();
    await service.create({ id: 'one', kind });
    expect(await storeOn(service).read('one')).toBeUndefined();
    expect(await storeOn(service).read('none')).toBeUndefined();
  });

  it('end once, within their scope', async () => {
    const service = new MemoryService();
    const store = storeOn(service);
    await store.create('one', row('1', { refresh: 'digest' }));
    expect(await store.end('one', OTHER, 1)).toBe(false);
    expect(service.store.get('one')).toMatchObject({ endedAt: null, refresh: 'digest' });
    expect([await store.end('one', SCOPE, 2), await store.end('one', SCOPE, 3), await store.end('none', SCOPE, 4)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(service.store.get('one')).toMatchObject({ endedAt: 2, refresh: null });
  });

  it('have their token replaced once, while they live, within their scope', async () => {
    const service = new MemoryService();
    const store = storeOn(service);
    await store.create('one', row('1', { refresh: 'first' }));
    const rotation = { from: 'first', to: 'second', now: 2000, idleUntil: 3000, by: 'other', client: 'c' };
    expect(await store.rotate('one', OTHER, rotation)).toBe(false);
    expect(await store.rotate('one', SCOPE, { ...rotation, from: 'wrong' })).toBe(false);
    expect(await store.rotate('one', SCOPE, rotation)).toBe(true);
    const written = {
      refresh: 'second',
      previous: 'first',
      rotatedAt: 2000,
      writtenBy: 'other',
      client: 'c',
      answered: null,
      usedAt: 2000,
      idleUntil: 3000,
    };
    expect(service.store.get('one')).toMatchObject(written);
    expect(await store.rotate('one', SCOPE, rotation)).toBe(false);
    await store.end('one', SCOPE, 4000);
    expect(await store.rotate('one', SCOPE, { ...rotation, from: 'second' })).toBe(false);
  });

  it('note the answer of the last token alone, and when a key was used', async () => {
    const service = new MemoryService();
    const store = storeOn(service);
    await store.create('one', row('1', { previous: 'first' }));
    await store.noteAnswered('one', 'former');
    expect(service.store.get('one')).toMatchObject({ answered: null });
    await store.noteAnswered('one', 'first');
    await store.noteUsed('one', 9000);
    await store.noteUsed('none', 9000);
    expect(service.store.get('one')).toMatchObject({ answered: 'first', usedAt: 9000 });
    const secrets = [{ field: 'password', marks: ['a', 'b'] }];
    await store.noteSecrets('one', secrets);
    expect(service.store.get('one')).toMatchObject({ secrets });
  });

  it('are found by user, the latest used first, all of them, however long the pages of the service', async () => {
    const service = new MemoryService({ paginate: { default: 1, max: 1 } });
    const store = storeOn(service);
    await store.create('one', row('1', { usedAt: 1 }));
    await store.create('two', row('1', { usedAt: 3 }));
    await store.create('three', row('1', { usedAt: 2, kind: 'key' }));
    await store.create('ended', row('1', { endedAt: 1 }));
    await store.create('other', row('1', OTHER));
    await store.create('bobs', row('2'));
    expect((await store.of('1', SCOPE)).map(({ id }) => id)).toEqual(['two', 'three', 'one']);
    expect(await store.of('3', SCOPE)).toEqual([]);
  });

  it('are found by where they came from, all of them', async () => {
    const service = new MemoryService({ paginate: { default: 1, max: 1 } });
    const store = storeOn(service);
    const from = (subject: string, session?: string): object =>
      newSession({
        scope: SCOPE,
        kind: 'session',
        user: '1',
        epoch: 0,
        secrets: undefined,
        key: 'k',
        process: 'me',
        now: 1,
        client: {},
        origin: { strategy: 'google', subject, session },
      });
    await store.create('one', from('ann', 's1') as never);
    await store.create('two', from('ann', 's2') as never);
    await store.create('three', from('ann') as never);
    await store.create('own', row('1'));
    const ids = async (origin: object): Promise<string[]> =>
      (await store.ofOrigin({ strategy: 'google', ...origin } as never, SCOPE)).map(({ id }) => id);
    expect(await ids({ subject: 'ann' })).toEqual(['one', 'two', 'three']);
    expect(await ids({ session: 's2' })).toEqual(['two']);
    expect(await ids({ subject: 'bob', session: 's2' })).toEqual([]);
    expect(await ids({ subject: 'ann', session: 's1' })).toEqual(['one']);
    expect(await ids({ strategy: 'other', subject: 'ann' })).toEqual([]);
    expect(await ids({})).toEqual([]);
    expect(service.store.get('three')).not.toHaveProperty('viaSession');
  });

  it('remember a token that was logged out, once', async () => {
    const service = new MemoryService();
    const store = storeOn(service);
    expect(await store.isRevoked('a')).toBe(false);
    await store.revoke('a', new Date(5));
    expect([await store.isRevoked('a'), await store.isRevoked('b')]).toEqual([true, false]);
    expect([...service.store.values()]).toEqual([{ id: 'revoked:a', kind: 'revoked', purgeAt: new Date(5) }]);
  });
});

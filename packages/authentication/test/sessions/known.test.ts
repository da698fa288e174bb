import { describe, expect, it, jest } from '@jest/globals';
import { Conflict, NotFound } from '@framework/errors';
import { isOver } from '../../src/sessions/expiry.ts';
import { KnownRevocations } from '../../src/sessions/known-revocations.ts';
import { MemoryRevokedTokens } from '../../src/sessions/revoked-tokens.ts';
import { clientDigest, clientOf } from '../../src/sessions/session-client.ts';
import { isSessionOver } from '../../src/sessions/session-over.ts';
import { sessionSettings, type SessionSettings } from '../../src/sessions/session-settings.ts';
import type { StoredSession } from '../../src/sessions/session-types.ts';
import { codeOf, isNew, orNothing } from '../../src/sessions/store-call.ts';
import { UnfinishedWork } from '../../src/sessions/unfinished-work.ts';

const START = Date.UTC(2030, 0, 1);

function at<T>(time: number, work: () => T): T {
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => time);
  try {
    return work();
  } finally {
    clock.mockRestore();
  }
}

describe('a time that was set', () => {
  it.each([
    ['of this process, a moment before', { own: true, life: 1e9 }, -1, false],
    ['of this process', { own: true, life: 1e9 }, 0, true],
    ['of another process, within a minute', { own: false, life: 1e9 }, 59_999, false],
    ['of another process, after a minute', { own: false, life: 1e9 }, 60_000, true],
    ['of another process with a short life, within a tenth of it', { own: false, life: 10_000 }, 999, false],
    ['of another process with a short life, after a tenth of it', { own: false, life: 10_000 }, 1000, true],
  ])('is over: %s', (_what, set, later, over) => {
    expect(at(START + later, () => isOver({ end: START, ...set }))).toBe(over);
  });

  it('is never over where there is none', () => {
    expect(isOver({ end: null, life: 0, own: true })).toBe(false);
  });
});

describe('a session', () => {
  const settings = sessionSettings({ idle: 100 }) as SessionSettings;
  const over = (change: Partial<StoredSession>, later: number): boolean => {
    const record = { createdAt: START - 10_000, expiresAt: null, idleUntil: null, writtenBy: 'me', ...change } as StoredSession;
    return at(START + later, () => isSessionOver(record, settings, 'me'));
  };

  it('is over at its end, or when it was not refreshed', () => {
    expect([over({ expiresAt: START }, -1), over({ expiresAt: START }, 0)]).toEqual([false, true]);
    expect([over({ idleUntil: START }, -1), over({ idleUntil: START }, 0)]).toEqual([false, true]);
    expect([over({ expiresAt: START + 1, idleUntil: START }, 0), over({ expiresAt: START, idleUntil: START + 1 }, 0)]).toEqual([
      true,
      true,
    ]);
    expect(over({}, 1e15)).toBe(false);
  });

  it('that another process has written is over a tenth of its life later', () => {
    const other = { writtenBy: 'other' };
    expect([over({ ...other, expiresAt: START }, 999), over({ ...other, expiresAt: START }, 1000)]).toEqual([false, true]);
    expect([over({ ...other, idleUntil: START }, 9999), over({ ...other, idleUntil: START }, 10_000)]).toEqual([false, true]);
  });
});

describe('what a process knows of tokens that were logged out', () => {
  it('is asked for again after half a minute, where they were not', () => {
    const known = new KnownRevocations(10);
    let now = 1000;
    const stopwatch = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      known.set('yes', true);
      known.set('no', false);
      const answers = (): unknown[] => ['yes', 'no', 'unknown'].map((token) => known.get(token));
      expect(answers()).toEqual([true, false, undefined]);
      now += 30_000;
      expect(answers()).toEqual([true, false, undefined]);
      now += 1;
      expect(answers()).toEqual([true, undefined, undefined]);
    } finally {
      stopwatch.mockRestore();
    }
  });

  it('is bounded, and all forgotten at once', () => {
    const known = new KnownRevocations(2);
    for (const token of ['a', 'b', 'c']) known.set(token, true);
    expect(['a', 'b', 'c'].map((token) => known.get(token))).toEqual([undefined, true, true]);
    known.clear();
    expect(known.get('c')).toBeUndefined();
  });

  it('is of the token of one issuer and audience', async () => {
    const revoked = new MemoryRevokedTokens();
    const token = { iss: 'i', aud: 'a', jti: 'j' };
    expect(revoked.isRevoked(token)).toBe(false);
    await revoked.revoke({ ...token, exp: 1 });
    await revoked.revoke({ iss: 'x', aud: 'y', jti: 'z' });
    expect(revoked.isRevoked({ ...token, sub: 'whoever' })).toBe(true);
    for (const change of [{ iss: 'x' }, { aud: 'x' }, { aud: ['a'] }, { jti: 'x' }])
      expect(revoked.isRevoked({ ...token, ...change })).toBe(false);
  });

  it('is kept in memory for as long as a token counts, clocks that differ included', async () => {
    const revoked = new MemoryRevokedTokens(2);
    const exp = START / 1000;
    await revoked.revoke({ jti: 'ended', exp });
    await revoked.revoke({ jti: 'endless' });
    await expect(at(START + 120_000, () => revoked.revoke({ jti: 'new', exp }))).rejects.toMatchObject({ code: 503 });
    await at(START + 120_001, () => revoked.revoke({ jti: 'new', exp }));
    expect(['ended', 'endless', 'new'].map((jti) => revoked.isRevoked({ jti }))).toEqual([false, true, true]);
  });
});

describe('work that could not be done', () => {
  it('is done later, in order, and what fails again waits on with all behind it', async () => {
    const work = new UnfinishedWork();
    const done: string[] = [];
    let fails = true;
    expect(work.isEmpty).toBe(true);
    work.add(async () => done.push('a'));
    work.add(async () => {
      if (fails) throw new Error('not yet');
      done.push('b');
    });
    work.add(async () => done.push('c'));
    expect(work.isEmpty).toBe(false);
    await expect(work.finish()).rejects.toThrow('not yet');
    expect([done, work.isEmpty]).toEqual([['a'], false]);
    fails = false;
    await work.finish();
    expect([done, work.isEmpty]).toEqual([['a', 'b', 'c'], true]);
    await work.finish();
    expect(done).toHaveLength(3);
  });

  it('is bounded: what is beyond ten thousand is found in another way', async () => {
    const work = new UnfinishedWork();
    let done = 0;
    for (let count = 0; count < 10_001; count++) work.add(async () => (done += 1));
    await work.finish();
    expect(done).toBe(10_000);
  });
});

describe('a client', () => {
  it('is what a call says of it', () => {
    expect(clientOf({ address: '192.0.2.1', headers: { 'user-agent': 'Browser' } })).toEqual({ address: '192.0.2.1', agent: 'Browser' });
    expect(clientOf({})).toEqual({ address: undefined, agent: undefined });
    expect(clientOf({ headers: { 'user-agent': ['a', 'b'] } } as never).agent).toBeUndefined();
  });

  it('is known again by its network and its program, in a text that says neither', () => {
    const digest = clientDigest({ address: '192.0.2.1', agent: 'Browser' });
    expect(digest).toMatch(/^[\w-]{22}$/);
    expect(clientDigest({ agent: 'Browser', address: '192.0.2.1' })).toBe(digest);
    const others = [
      { address: '192.0.2.2', agent: 'Browser' },
      { address: '192.0.2.1', agent: 'Other' },
      { address: '192.0.2.1' },
      { agent: 'Browser' },
      {},
      { address: '2001:db8::1', agent: 'Browser' },
    ];
    expect(new Set([digest, ...others.map(clientDigest)]).size).toBe(others.length + 1);
    expect(clientDigest({ agent: '' })).toBe(clientDigest({}));
  });
});

describe('a call of the store', () => {
  it('gives what the store gives, and nothing for what is not there', async () => {
    expect(await orNothing(Promise.resolve({ a: 1 }))).toEqual({ a: 1 });
    expect(await orNothing(Promise.reject(new NotFound('none')))).toBeUndefined();
  });

  it('creates once', async () => {
    expect(await isNew(Promise.resolve())).toBe(true);
    expect(await isNew(Promise.reject(new Conflict('taken')))).toBe(false);
  });

  it.each([orNothing, isNew])(
    'that fails is 503, with its cause, which no answer shows: %p',
    async (call: (work: Promise<unknown>) => Promise<unknown>) => {
      for (const cause of [
        new Error('no database'),
        'no database',
        undefined,
        call === isNew ? new NotFound('none') : new Conflict('taken'),
      ]) {
        const error: unknown = await call(Promise.reject(cause as Error)).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 503, message: 'Sessions can not be checked at present' });
        expect((error as Error).cause).toBe(cause);
        expect(JSON.stringify(error)).not.toContain('database');
      }
    },
  );

  it('says its status', () => {
    expect([new NotFound('x'), { code: 'E' }, {}, null, undefined, 'text', 5].map(codeOf)).toEqual([
      404,
      'E',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

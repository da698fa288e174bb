import { describe, expect, it, jest } from '@jest/globals';
import { attemptRule } from '../../src/limiter/limiter-options.ts';
import { LoginLimiter, type Lockout } from '../../src/limiter/login-limiter.ts';
import { MemoryLimiterStore } from '../../src/limiter/memory-limiter-store.ts';
import { nextAttempt } from '../../src/limiter/next-attempt.ts';
import type { AttemptState } from '../../src/limiter/limiter-store.ts';

const KEY = Buffer.alloc(32, 1);

describe('the rule of attempts', () => {
  it('locks until the window ends, counted from the first attempt', () => {
    const rule = { attempts: 2, window: 1000, delay: null };
    const one = nextAttempt(undefined, rule, 0);
    const two = nextAttempt(one, rule, 400);
    expect([one, two]).toEqual([
      { count: 1, refused: 0, readyAt: 0, resetAt: 1000 },
      { count: 2, refused: 0, readyAt: 1000, resetAt: 1000 },
    ]);
    expect(nextAttempt(two, rule, 999)).toEqual({ ...two, refused: 1 });
    expect(nextAttempt(two, rule, 1000)).toMatchObject({ count: 1, refused: 0 });
  });

  it.each([null, 500])(
    'holds nothing back behind a free attempt, not for a process whose clock is behind either, with a delay of %p',
    (delay) => {
      const rule = { attempts: 3, window: 1000, delay };
      const ahead = nextAttempt(undefined, rule, 1000);
      const behind = nextAttempt(ahead, rule, 990);
      expect([ahead, behind]).toMatchObject([
        { count: 1, refused: 0, readyAt: 0 },
        { count: 2, refused: 0, readyAt: 0 },
      ]);
    },
  );

  it.each([null, 500])('holds nobody back for longer than the window when a clock is put back by a day, with a delay of %p', (delay) => {
    const rule = { attempts: 2, window: 1000, delay };
    const day = 86_400_000;
    let state = [0, 1].reduce<AttemptState | undefined>((before, now) => nextAttempt(before, rule, day + now), undefined);
    state = nextAttempt(state, rule, 0);
    expect(state).toMatchObject({ count: 2, refused: 1, readyAt: 1000 });
    expect(nextAttempt(state, rule, 999)).toMatchObject({ refused: 2, readyAt: 1000 });
    expect(nextAttempt(state, rule, 1000)).toMatchObject({ refused: 0 });
    expect(nextAttempt(state, rule, 2000)).toMatchObject({ count: 1, refused: 0 });
  });

  it.each([
    [null, 1000],
    [500, 1500],
  ])('counts failures no longer than the window when a clock is put back by a day, with a delay of %p', (delay, resetAt) => {
    const rule = { attempts: 2, window: 1000, delay };
    const free = nextAttempt(undefined, rule, 86_400_000);
    expect(nextAttempt(free, rule, 0)).toMatchObject({ count: 2, refused: 0, resetAt });
  });

  it('with a delay doubles it up to the window, and never counts what it holds back', () => {
    const rule = { attempts: 1, window: 10_000, delay: 1000 };
    let state: AttemptState | undefined;
    const waits: number[] = [];
    let now = 0;
    for (let round = 0; round < 40; round++) {
      state = nextAttempt(state, rule, now);
      waits.push(state.readyAt - now);
      for (let more = 0; more < 3; more++) state = nextAttempt(state, rule, now + 1);
      expect(state.refused).toBe(3);
      now = state.readyAt;
    }
    expect(waits.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(waits.at(-1)).toBe(10_000);
  });

  it.each([
    [{ attempts: 0, window: 1 }],
    [{ attempts: 1.5, window: 1 }],
    [{ attempts: 1, window: 0 }],
    [{ attempts: 1, window: 1, delay: 0 }],
  ])('refuses %j by name', (account) => {
    expect(() => attemptRule({ account }, 'account')).toThrow("'authentication.limiter.account' needs attempts");
  });
});

describe('LoginLimiter', () => {
  const limiterOf = (locked: Lockout[] = []): LoginLimiter => {
    const rule = { attempts: 2, window: 60 };
    return new LoginLimiter({ account: rule, address: rule }, new MemoryLimiterStore(), KEY, (lockout) => locked.push(lockout));
  };
  const login = { strategy: 'local', address: '192.0.2.1' };
  const ann = { account: '1', known: true };

  it('S22 counts for a device apart from the account', async () => {
    const limiter = limiterOf();
    for (let round = 0; round < 2; round++) await limiter.forAccount(login, ann, undefined);
    await expect(limiter.forAccount(login, ann, undefined)).rejects.toMatchObject({ code: 429 });
    const own = await limiter.forAccount(login, ann, 'device');
    await own.succeed();
    await expect(limiter.forAccount(login, ann, undefined)).rejects.toMatchObject({ code: 429 });
  });

  it('S23 counts what was typed beside the account, starts both anew with a login, and takes both back', async () => {
    const limiter = limiterOf();
    const [known, unknown] = [
      { ...ann, text: 'ann' },
      { account: 'ANN', known: false, text: 'ann' },
    ];
    const first = await limiter.forAccount(login, known, undefined);
    await first.succeed();
    for (let round = 0; round < 3; round++) await (await limiter.forAccount(login, unknown, undefined)).undo();
    for (const identity of [known, unknown]) await limiter.forAccount(login, identity, undefined);
    for (const identity of [known, unknown])
      await expect(limiter.forAccount(login, identity, undefined)).rejects.toMatchObject({ code: 429 });
    // What is held back by its spelling has not been tried.
    await limiter.forAccount(login, { ...ann, text: 'anna' }, undefined);
    await limiter.forAccount(login, { ...known, account: '2' }, 'device');
  });

  it('S45 tells of a lock once, and writes accounts with the key of the server', async () => {
    const locked: Lockout[] = [];
    const limiter = limiterOf(locked);
    for (let round = 0; round < 2; round++) await limiter.forAccount({ ...login, requestId: 'r' }, ann, undefined);
    for (let round = 0; round < 3; round++)
      await expect(limiter.forAccount({ ...login, requestId: 'r' }, ann, undefined)).rejects.toMatchObject({ code: 429 });
    expect(locked).toEqual([{ ...login, account: limiter.digest(ann), retryAfter: 60, requestId: 'r' }]);
    const other = new LoginLimiter({}, new MemoryLimiterStore(), Buffer.alloc(32, 2), () => undefined);
    expect(other.digest(ann)).not.toBe(limiter.digest(ann));
    expect(limiter.digest({ account: '1', known: false })).not.toBe(limiter.digest(ann));
  });

  it('S22 says to wait no longer than the rule holds back, by whatever clock the store goes', async () => {
    const answer = { admitted: false, refused: 1, readyAt: Date.now() + 3_600_000 };
    const store = Object.assign(new MemoryLimiterStore(), { attempt: async () => Promise.resolve(answer) });
    const limiter = new LoginLimiter({ account: { attempts: 2, window: '1m' } }, store, Buffer.alloc(32, 1), () => undefined);
    await expect(limiter.forAccount(login, ann, undefined)).rejects.toMatchObject({ code: 429, data: { retryAfter: 60 } });
  });

  it('S22 holds an address back whatever it asks for, and no other one', async () => {
    const locked: Lockout[] = [];
    const limiter = limiterOf(locked);
    for (let round = 0; round < 2; round++) await limiter.fromAddress(login);
    await expect(limiter.fromAddress(login)).rejects.toMatchObject({
      code: 429,
      message: 'Too many failed logins. Try again later',
      data: { retryAfter: 60 },
    });
    expect(locked).toEqual([{ ...login, account: '', retryAfter: 60 }]);
    await expect(limiter.fromAddress({ ...login, address: '192.0.2.2' })).resolves.toBeDefined();
  });

  it.each([undefined, ''])('an address that is %p is not counted', async (address) => {
    const limiter = limiterOf();
    for (let round = 0; round < 5; round++) await expect(limiter.fromAddress({ ...login, address })).resolves.toBeDefined();
  });

  it('S22 a login that succeeds frees its account, and takes back one attempt of its address', async () => {
    const limiter = limiterOf();
    await limiter.forAccount(login, ann, undefined);
    await (await limiter.forAccount(login, ann, undefined)).succeed();
    for (let round = 0; round < 2; round++) await limiter.forAccount(login, ann, undefined);
    await expect(limiter.forAccount(login, ann, undefined)).rejects.toMatchObject({ code: 429 });

    await limiter.fromAddress(login);
    await (await limiter.fromAddress(login)).succeed();
    await limiter.fromAddress(login);
    await expect(limiter.fromAddress(login)).rejects.toMatchObject({ code: 429 });
  });

  it('S22 accounts and devices are counted each by itself; one without a name is not', async () => {
    const limiter = limiterOf();
    for (const device of [undefined, 'a', 'b']) for (let round = 0; round < 2; round++) await limiter.forAccount(login, ann, device);
    for (const device of [undefined, 'a', 'b']) await expect(limiter.forAccount(login, ann, device)).rejects.toMatchObject({ code: 429 });
    await expect(limiter.forAccount(login, { account: '2', known: true }, undefined)).resolves.toBeDefined();
    for (let round = 0; round < 5; round++)
      await expect(limiter.forAccount(login, { account: '', known: false }, undefined)).resolves.toBeDefined();
  });

  it('what is switched off is not counted', async () => {
    const limiter = new LoginLimiter({ account: false, address: false }, new MemoryLimiterStore(), KEY, () => undefined);
    for (let round = 0; round < 200; round++) {
      await expect(limiter.fromAddress(login)).resolves.toBeDefined();
      await expect(limiter.forAccount(login, ann, undefined)).resolves.toBeDefined();
    }
  });

  it('S22 where attempts can not be counted nobody logs in', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('connection refused'));
    const limiter = new LoginLimiter(
      { store: { attempt: broken, restore: broken, reset: broken } },
      new MemoryLimiterStore(),
      KEY,
      () => undefined,
    );
    for (const work of [limiter.fromAddress(login), limiter.forAccount(login, ann, undefined)])
      await expect(work).rejects.toMatchObject({ code: 503, message: 'Logins are not possible at present', data: { retryAfter: 5 } });
  });

  it('digests of accounts are short, of the URL alphabet, and the same for the same account', () => {
    const limiter = limiterOf();
    expect(limiter.digest(ann)).toMatch(/^[\w-]{22}$/);
    expect(limiter.digest({ ...ann })).toBe(limiter.digest(ann));
    expect(limiter.digest({ account: '2', known: true })).not.toBe(limiter.digest(ann));
  });

  it('takes back an attempt for an account, and only that one', async () => {
    const limiter = limiterOf();
    for (let round = 0; round < 5; round++) await (await limiter.forAccount(login, ann, undefined)).undo();
    await limiter.forAccount(login, ann, undefined);
    await (await limiter.forAccount(login, ann, undefined)).undo();
    await limiter.forAccount(login, ann, undefined);
    await expect(limiter.forAccount(login, ann, undefined)).rejects.toMatchObject({ code: 429 });
  });

  it('takes attempts back that could not be made', async () => {
    const limiter = limiterOf();
    for (let round = 0; round < 5; round++) await (await limiter.fromAddress(login)).undo();
    await expect(limiter.fromAddress(login)).resolves.toBeDefined();
  });
});

it('S22 a login that succeeds takes back no delay that another attempt has set meanwhile', async () => {
  const store = new MemoryLimiterStore();
  const rule = { attempts: 2, window: 60_000, delay: 1000 };
  let now = 1_800_000_000_000;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  try {
    for (let round = 0; round < 2; round++) expect((await store.attempt('a', rule)).admitted).toBe(true);
    now += 1000;
    const slow = await store.attempt('a', rule);
    now += 2000;
    expect((await store.attempt('a', rule)).admitted).toBe(true);
    await store.restore('a', rule, slow);
    expect((await store.attempt('a', rule)).admitted).toBe(false);
    now += 4000;
    // Its own delay goes with it, and so does a lock for which there are too few failures without it.
    const own = await store.attempt('a', rule);
    await store.restore('a', rule, own);
    const next = await store.attempt('a', rule);
    expect(next.admitted).toBe(true);
    const first = await store.attempt('b', rule);
    expect((await store.attempt('b', rule)).admitted).toBe(true);
    await store.restore('b', rule, first);
    expect((await store.attempt('b', rule)).admitted).toBe(true);
    // As many are left as have a delay: that of the other stays.
    await store.attempt('c', rule);
    const second = await store.attempt('c', rule);
    now += 1000;
    expect((await store.attempt('c', rule)).admitted).toBe(true);
    await store.restore('c', rule, second);
    expect((await store.attempt('c', rule)).admitted).toBe(false);
  } finally {
    clock.mockRestore();
  }
});

it('the memory store is bounded, and keeps what was tried most', async () => {
  const store = new MemoryLimiterStore(100);
  const rule = { attempts: 3, window: 60_000, delay: null };
  for (let round = 0; round < 3; round++) await store.attempt('locked', rule);
  for (let index = 0; index < 1000; index++) await store.attempt(`other ${index}`, rule);
  expect((await store.attempt('locked', rule)).admitted).toBe(false);
});

it('the memory store makes room only when it is full, and takes what is over first', async () => {
  const rule = { attempts: 1, window: 60_000, delay: null };
  let now = 1_800_000_000_000;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  try {
    const store = new MemoryLimiterStore(2);
    const admitted = async (key: string): Promise<boolean> => (await store.attempt(key, rule)).admitted;
    expect([await admitted('old'), await admitted('young')]).toEqual([true, true]);
    expect([await admitted('old'), await admitted('young')]).toEqual([false, false]);
    await store.reset('young');
    now += 30_000;
    expect(await admitted('young')).toBe(true);
    now += 30_000;
    expect(await admitted('new')).toBe(true);
    expect([await admitted('young'), await admitted('new')]).toEqual([false, false]);
  } finally {
    clock.mockRestore();
  }
});

it('a rule is read in milliseconds, with the defaults where none is set', () => {
  expect(attemptRule({ account: { attempts: 1, window: '1m', delay: '2s' } }, 'account')).toEqual({
    attempts: 1,
    window: 60_000,
    delay: 2000,
  });
  expect(attemptRule({ account: { attempts: 5, window: 60 } }, 'account')).toEqual({ attempts: 5, window: 60_000, delay: null });
  expect(attemptRule({}, 'account')).toEqual({ attempts: 10, window: 900_000, delay: 1000 });
  expect(attemptRule({}, 'address')).toEqual({ attempts: 100, window: 900_000, delay: 1000 });
  expect(attemptRule({ address: false }, 'address')).toBeUndefined();
});

it('S22 a full memory store forgets what was tried least, and no lock', async () => {
  const rule = { attempts: 2, window: 60_000, delay: null };
  const store = new MemoryLimiterStore(2);
  const admitted = async (key: string): Promise<number> => {
    let count = 0;
    while ((await store.attempt(key, rule)).admitted) count += 1;
    return count;
  };
  await store.attempt('once', rule);
  expect(await admitted('locked')).toBe(2);
  await store.attempt('new', rule);
  expect(await admitted('once')).toBe(2);
  expect(await admitted('locked')).toBe(0);
});

it('an attempt that is taken back leaves those before it', async () => {
  const rule = { attempts: 3, window: 60_000, delay: null };
  const store = new MemoryLimiterStore();
  for (let round = 0; round < 2; round++) await store.attempt('a', rule);
  await store.restore('a', rule, await store.attempt('a', rule));
  expect([(await store.attempt('a', rule)).admitted, (await store.attempt('a', rule)).admitted]).toEqual([true, false]);
  await store.restore('never', rule, { admitted: true, refused: 0, readyAt: 0 });
  await store.reset('never');
  expect((await store.attempt('never', rule)).admitted).toBe(true);
});

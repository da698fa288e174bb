import { BadGateway, NotAuthenticated } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IDENTITY, type AuthenticationConfiguration, type AuthenticationRequest, type AuthenticationStrategy } from '../../src/index.ts';
import { ADDRESS } from '../../src/login/address.ts';
import type { LoginIdentity } from '../../src/login/identity.ts';
import type { AttemptAnswer } from '../../src/limiter/limiter-store.ts';
import { MemoryLimiterStore } from '../../src/limiter/memory-limiter-store.ts';
import { codeOf } from '../../src/sessions/store-call.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

/** Verifies the word of an account. */
class AccountStrategy implements AuthenticationStrategy {
  readonly seen: unknown[] = [];
  error: Error = new NotAuthenticated('Wrong word');

  async authenticate(data: AuthenticationRequest, params: object): Promise<{ user: { id: number } }> {
    this.seen.push((params as { readonly [IDENTITY]?: LoginIdentity })[IDENTITY]);
    if (data.word !== 'open') throw this.error;
    return { user: { id: Number(data.account) || 1 } };
  }
}

/** Finds the account before. */
class IdentifyingStrategy extends AccountStrategy {
  async identify({ account }: AuthenticationRequest): Promise<LoginIdentity> {
    if (account === 'broken') throw new BadGateway('no directory');
    if (account === 'refused') throw new NotAuthenticated('No such form');
    return { account: typeof account === 'string' ? account : '', known: account === '1' };
  }
}

/** Can only tell how an account is written. */
class SpellingStrategy extends AccountStrategy {
  accountOf({ account }: AuthenticationRequest): string | undefined {
    return typeof account === 'string' ? account.toLowerCase() : undefined;
  }
}

/** Verifies what nobody can guess. */
class RandomStrategy extends AccountStrategy {
  readonly countsFailures: boolean = true;
}

interface Limited<S> extends SessionWorld {
  readonly strategy: S;
  readonly failed: unknown[];
  /** Tries to log in, and gives the status, or 200. */
  attempt(data: object, params?: object): Promise<unknown>;
}

const RULE = { attempts: 2, window: '1h' };

async function limited<S extends AuthenticationStrategy>(
  strategy: S,
  limiter: AuthenticationConfiguration['limiter'],
): Promise<Limited<S>> {
  const world = await createWorld({ sessions: false, limiter: limiter as never });
  world.service.register('own', strategy);
  world.configure({ authStrategies: ['own', 'jwt'] });
  const failed: unknown[] = [];
  world.app.on('login-failed', (event: unknown) => failed.push(event));
  const attempt = (data: object, params: object = {}): Promise<unknown> =>
    world.service.create({ strategy: 'own', word: 'wrong', ...data }, params).then(() => 200, codeOf);
  return { ...world, strategy, failed, attempt };
}

const times = async (count: number, work: () => Promise<unknown>): Promise<unknown[]> => {
  const results: unknown[] = [];
  for (let round = 0; round < count; round++) results.push(await work());
  return results;
};
const right = { word: 'open' };

describe('logins of a strategy that finds accounts', () => {
  it('are held back for an account after its attempts, right ones too, and for no other', async () => {
    const { attempt } = await limited(new IdentifyingStrategy(), { account: RULE, address: false });
    expect(await times(3, () => attempt({ account: '1' }))).toEqual([401, 401, 429]);
    expect(await attempt({ account: '1', ...right })).toBe(429);
    expect(await attempt({ account: '2', ...right })).toBe(200);
  });

  it('leave what the strategy gives as it is', async () => {
    const given = Object.freeze({ user: { id: 1 } });
    const strategy = Object.assign(new IdentifyingStrategy(), { authenticate: async () => Promise.resolve(given) });
    const { attempt } = await limited(strategy, { account: RULE, address: false });
    expect(await attempt({ account: '1', ...right })).toBe(200);
    expect(Object.getOwnPropertySymbols(given)).toEqual([]);
  });

  it('say when the next one may come', async () => {
    const { service } = await limited(new IdentifyingStrategy(), { account: { attempts: 1, window: 60 }, address: false });
    const call = (): Promise<unknown> => service.create({ strategy: 'own', account: '1' });
    await expect(call()).rejects.toMatchObject({ code: 401, message: 'Wrong word' });
    await expect(call()).rejects.toMatchObject({ code: 429, data: { retryAfter: 60 } });
  });

  it('are held back for an address before the account is looked for, whatever the account', async () => {
    const { attempt, strategy } = await limited(new IdentifyingStrategy(), { account: false, address: RULE });
    const address = '192.0.2.1';
    expect(await times(3, () => attempt({ account: '1' }, { address }))).toEqual([401, 401, 429]);
    // The address is asked first: nothing was looked for.
    expect(await attempt({ account: 'broken' }, { address })).toBe(429);
    expect(strategy.seen).toHaveLength(2);
    expect(await attempt({ account: '1', ...right }, { address: '192.0.2.2' })).toBe(200);
  });

  it('that succeed are forgotten: for the account all of them, for the address the one', async () => {
    const { attempt } = await limited(new IdentifyingStrategy(), {
      account: { attempts: 3, window: '1h' },
      address: { attempts: 6, window: '1h' },
    });
    const from = { address: '192.0.2.1' };
    await times(2, () => attempt({ account: '1' }, from));
    expect(await attempt({ account: '1', ...right }, from)).toBe(200);
    expect(await times(3, () => attempt({ account: '1' }, from))).toEqual([401, 401, 401]);
    expect(await attempt({ account: '1', ...right }, from)).toBe(429);
    expect(await attempt({ account: '2' }, from)).toBe(401);
    expect(await attempt({ account: '2', ...right }, from)).toBe(429);
  });

  it('that could not be tried count for nothing', async () => {
    const { attempt, strategy, failed } = await limited(new IdentifyingStrategy(), {
      account: { attempts: 1, window: '1h' },
      address: { attempts: 1, window: '1h' },
    });
    const from = { address: '192.0.2.1' };
    strategy.error = new BadGateway('no directory');
    expect(await times(3, () => attempt({ account: '1' }, from))).toEqual([502, 502, 502]);
    expect(await times(3, () => attempt({ account: 'broken' }, from))).toEqual([502, 502, 502]);
    expect(await attempt({ account: '1', ...right }, from)).toBe(200);
    expect(failed).toEqual([]);
  });

  it('that are held back for an account count for no address', async () => {
    const { attempt } = await limited(new IdentifyingStrategy(), { account: { attempts: 1, window: '1h' }, address: RULE });
    const from = { address: '192.0.2.1' };
    expect(await times(4, () => attempt({ account: '1' }, from))).toEqual([401, 429, 429, 429]);
    expect(await attempt({ account: '2', ...right }, from)).toBe(200);
  });

  it('take back what they counted for an address once, where the account can not be freed', async () => {
    const restored: string[] = [];
    class Failing extends MemoryLimiterStore {
      override async restore(...args: [string, never, AttemptAnswer]): Promise<void> {
        restored.push(args[0].split(':')[0] ?? '');
        return super.restore(...args);
      }
      override reset(): Promise<void> {
        return Promise.reject(new Error('no database'));
      }
    }
    const { attempt } = await limited(new IdentifyingStrategy(), { account: RULE, address: RULE, store: new Failing() });
    expect(await attempt({ account: '1', ...right }, { address: '192.0.2.1' })).toBe(503);
    expect(restored).toEqual(['address', 'account']);
  });

  it('give the strategy whom they are for, and the result to whoever logs in, without it', async () => {
    const { strategy, attempt, service } = await limited(new IdentifyingStrategy(), {});
    await attempt({ account: '1', ...right });
    await attempt({ account: 'Ann', ...right });
    await attempt({ ...right });
    expect(strategy.seen).toEqual([
      { account: '1', known: true },
      { account: 'Ann', known: false },
      { account: '', known: false },
    ]);
    const result = await service.create({ strategy: 'own', account: '1', ...right });
    expect(Object.getOwnPropertySymbols(result)).toEqual([]);
  });

  it('are told of when they fail, with a digest of the account alone', async () => {
    const { attempt, failed, service } = await limited(new IdentifyingStrategy(), {});
    const params = { address: '192.0.2.1', requestId: 'r-1' };
    const digest = (identity: LoginIdentity): unknown => service.limiter?.digest(identity);
    await attempt({ account: '1' }, params);
    await attempt({ account: 'Ann' });
    await attempt({});
    await attempt({ account: 'refused' }, params);
    await attempt({ account: '1', ...right }, params);
    expect(failed).toEqual([
      { strategy: 'own', account: digest({ account: '1', known: true }), address: '192.0.2.1', requestId: 'r-1' },
      { strategy: 'own', account: digest({ account: 'Ann', known: false }), address: undefined },
      { strategy: 'own', account: '', address: undefined },
      { strategy: 'own', account: '', address: '192.0.2.1', requestId: 'r-1' },
    ]);
  });

  it('are told of, without an account, and not held back where there is no limiter', async () => {
    const { attempt, failed } = await limited(new IdentifyingStrategy(), false);
    expect(await times(30, () => attempt({ account: '1' }, { address: '192.0.2.1' }))).toEqual(Array(30).fill(401));
    expect(await attempt({ account: '1', ...right })).toBe(200);
    expect(failed).toHaveLength(30);
    expect(failed[0]).toEqual({ strategy: 'own', account: '', address: '192.0.2.1' });
  });

  it('are told of with the address and the request, where they are held back', async () => {
    const { attempt, app, service } = await limited(new IdentifyingStrategy(), { account: { attempts: 1, window: 60 }, address: false });
    const locked: unknown[] = [];
    app.on('lockout', (event: unknown) => locked.push(event));
    await times(3, () => attempt({ account: '1' }, { address: '192.0.2.1', requestId: 'r-1' }));
    const account = service.limiter?.digest({ account: '1', known: true });
    expect(locked).toEqual([{ strategy: 'own', account, address: '192.0.2.1', requestId: 'r-1', retryAfter: 60 }]);
  });
});

describe('logins of a strategy that tells how accounts are written', () => {
  it('are held back for each account, in one spelling', async () => {
    const { attempt, strategy } = await limited(new SpellingStrategy(), { account: RULE, address: false });
    expect([await attempt({ account: 'Ann' }), await attempt({ account: 'ANN' }), await attempt({ account: 'ann', ...right })]).toEqual([
      401, 401, 429,
    ]);
    expect(await attempt({ account: 'bob', ...right })).toBe(200);
    expect(strategy.seen[0]).toEqual({ account: 'ann', known: false });
  });

  it('that are for no account are not counted for one', async () => {
    const { attempt, strategy } = await limited(new SpellingStrategy(), { account: RULE, address: false });
    expect(await times(4, () => attempt({}))).toEqual([401, 401, 401, 401]);
    expect(strategy.seen[0]).toEqual({ account: '', known: false });
  });
});

describe('logins of a strategy that says nothing of what it verifies', () => {
  const from = { address: '192.0.2.1' };

  it('S22 are held back for an address, right ones too: a number of four digits is found by trying', async () => {
    const { attempt, strategy } = await limited(new AccountStrategy(), { account: RULE, address: RULE });
    expect(await times(3, () => attempt({}, from))).toEqual([401, 401, 429]);
    expect([await attempt(right, from), await attempt(right, { address: '192.0.2.2' })]).toEqual([429, 200]);
    expect(strategy.seen).toHaveLength(3);
  });

  it('take their attempt back when they succeed, and when they could not be tried', async () => {
    const { attempt, strategy, failed } = await limited(new AccountStrategy(), { account: RULE, address: RULE });
    expect(await times(4, () => attempt(right, from))).toEqual([200, 200, 200, 200]);
    strategy.error = new BadGateway('no directory');
    expect(await times(4, () => attempt({}, from))).toEqual([502, 502, 502, 502]);
    expect(failed).toEqual([]);
  });

  it('pass when they are right where it says that nobody guesses them', async () => {
    const { attempt } = await limited(Object.assign(new AccountStrategy(), { unguessable: true }), { address: RULE });
    expect(await times(3, () => attempt({}, from))).toEqual([401, 401, 429]);
    expect(await attempt(right, from)).toBe(200);
  });

  it('are held back where it says that they can be guessed, though they come with any call', async () => {
    const { attempt } = await limited(Object.assign(new RandomStrategy(), { unguessable: false }), { address: RULE });
    expect(await times(3, () => attempt({}, from))).toEqual([401, 401, 429]);
    expect(await attempt(right, from)).toBe(429);
  });
});

describe('logins of a strategy whose secrets nobody guesses', () => {
  it('count for their address when they are wrong, and right ones always pass', async () => {
    const { attempt, strategy } = await limited(new RandomStrategy(), { account: RULE, address: RULE });
    const from = { address: '192.0.2.1' };
    expect(await times(3, () => attempt({}, from))).toEqual([401, 401, 429]);
    expect(await times(3, () => attempt(right, from))).toEqual([200, 200, 200]);
    expect(await attempt({}, from)).toBe(429);
    expect(await attempt({}, { address: '192.0.2.2' })).toBe(401);
    expect(strategy.seen.every((identity) => identity === undefined)).toBe(true);
  });

  it('are told of when they are wrong, for no account', async () => {
    const { attempt, failed } = await limited(new RandomStrategy(), {});
    await attempt(right);
    await attempt({}, { address: '192.0.2.1', headers: { 'x-request-id': 'r-1' } });
    expect(failed).toEqual([{ strategy: 'own', account: '', address: '192.0.2.1', requestId: 'r-1' }]);
  });

  it('that could not be tried are neither counted nor told of', async () => {
    const { attempt, strategy, failed } = await limited(new RandomStrategy(), { address: { attempts: 1, window: '1h' } });
    const from = { address: '192.0.2.1' };
    strategy.error = new BadGateway('no directory');
    expect(await times(3, () => attempt({}, from))).toEqual([502, 502, 502]);
    expect(failed).toEqual([]);
    strategy.error = new NotAuthenticated('Wrong word');
    expect(await attempt({}, from)).toBe(401);
  });

  it('are told of and not held back where there is no limiter', async () => {
    const { attempt, failed } = await limited(new RandomStrategy(), false);
    expect(await times(3, () => attempt({}, { address: '192.0.2.1' }))).toEqual([401, 401, 401]);
    expect(failed).toHaveLength(3);
  });

  it('are counted by the address of the call, else by that which came with the credentials', async () => {
    const { attempt, failed } = await limited(new RandomStrategy(), {});
    await attempt({ [ADDRESS]: '192.0.2.9' }, { address: '192.0.2.1' });
    await attempt({ [ADDRESS]: '192.0.2.9' });
    await attempt({ [ADDRESS]: ['192.0.2.9'] });
    expect(failed.map((event) => (event as { address: unknown }).address)).toEqual(['192.0.2.1', '192.0.2.9', undefined]);
  });

  it.each([
    ['say that they count failures', { countsFailures: true }],
    ['name accounts', { accountOf: ({ key }: AuthenticationRequest) => String(key) }],
  ])('are counted by the address of the request where strategies of an application read them and %s', async (_what, more) => {
    const own: AuthenticationStrategy = {
      ...more,
      parse: async ({ headers }) => ({ strategy: 'own', key: headers?.['x-device-key'] }),
      authenticate: () => Promise.reject(new NotAuthenticated('Invalid key')),
    };
    const { service, failed } = await limited(own, { address: { attempts: 1, window: '1h' } });
    const call = async (key: string, ip: string): Promise<unknown> => {
      const read = await service.parse({ headers: { 'x-device-key': key }, ip }, null, 'own');
      return service.authenticate(read as never, {}, 'own').catch(codeOf);
    };
    expect([await call('a', '192.0.2.1'), await call('b', '192.0.2.1'), await call('c', '192.0.2.2')]).toEqual([401, 429, 401]);
    expect(failed[0]).toMatchObject({ address: '192.0.2.1' });
  });

  it('are not counted where a call is authenticated, unless keys can come with any call', async () => {
    const { service, failed } = await limited(new AccountStrategy(), { address: { attempts: 1, window: '1h' } });
    const call = (): Promise<unknown> => service.authenticate({ strategy: 'own' }, { address: '192.0.2.1' }, 'own').catch(codeOf);
    expect(await times(3, call)).toEqual([401, 401, 401]);
    expect(failed).toEqual([]);
  });
});

describe('what was ours and has ended', () => {
  const from = { address: '192.0.2.1' };
  /** Logins with what is sent, and then one that somebody guesses at, from an address that has two attempts. */
  const tried = async (
    { service, failed }: Pick<Limited<AuthenticationStrategy>, 'service' | 'failed'>,
    sent: readonly AuthenticationRequest[],
  ): Promise<unknown[]> => {
    const logIn = (data: AuthenticationRequest): Promise<unknown> => service.create(data, from).then(() => 200, codeOf);
    failed.splice(0);
    const codes = await times(4, () => Promise.all(sent.map(logIn)));
    expect(failed).toHaveLength(sent.length * 4);
    return [...codes.flat(), ...(await times(3, () => logIn({ strategy: 'jwt', accessToken: 'a.b.c' })))];
  };

  it('S22 counts for no address: all clients behind one have such tokens at once, and nobody guesses by them', async () => {
    const world = await limited(new AccountStrategy(), { address: RULE });
    const { service } = world;
    const old = await service.createAccessToken({ iat: 1_000_000_000 }, { subject: '1' });
    const left = await service.createAccessToken({}, { subject: '1' });
    await service.remove(null, { authentication: { strategy: 'jwt', accessToken: left } });
    const sent = [old, left].map((accessToken) => ({ strategy: 'jwt', accessToken }));
    expect(await tried(world, sent)).toEqual([...Array.from({ length: 8 }, () => 401), 401, 401, 429]);
  });

  it('S22 counts neither with sessions: tokens of those that have ended, and refresh tokens that were used', async () => {
    const world = await createWorld({ limiter: { address: RULE } });
    const failed: unknown[] = [];
    world.app.on('login-failed', (event: unknown) => failed.push(event));
    const { accessToken, refreshToken } = await world.logIn();
    await world.service.create({ strategy: 'refresh', refreshToken }, {});
    const ended = await world.logIn();
    await world.service.remove(null, { authentication: { strategy: 'jwt', accessToken: ended.accessToken } });
    const sent = [
      { strategy: 'refresh', refreshToken },
      { strategy: 'jwt', accessToken: ended.accessToken },
      { strategy: 'refresh', refreshToken: ended.refreshToken },
    ];
    expect(await tried({ service: world.service, failed }, sent)).toEqual([...Array.from({ length: 12 }, () => 401), 401, 401, 429]);
    // The session whose refresh token came again has ended too.
    await expect(world.service.create({ strategy: 'jwt', accessToken }, {})).rejects.toMatchObject({ code: 401 });
  });

  it('S22 counts where it only looks like ours', async () => {
    const world = await createWorld({ limiter: { address: RULE } });
    const { refreshToken } = await world.logIn();
    const another = `${refreshToken.slice(0, -1)}${refreshToken.endsWith('A') ? 'B' : 'A'}`;
    const logIn = (): Promise<unknown> => world.service.create({ strategy: 'refresh', refreshToken: another }, from).catch(codeOf);
    expect(await times(3, logIn)).toEqual([401, 401, 429]);
  });
});

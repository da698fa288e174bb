import { repeating } from '@framework/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AuthenticationService, type AuthenticationApplication } from '../../src/index.ts';
import { createWorld, endWorlds, NameStrategy, type LoggedIn, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

/** Lets a process ask for a second whether another one answers, without waiting for it. */
async function withoutWaiting<T>(work: () => Promise<T>): Promise<T> {
  let now = performance.now();
  const spies = [
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 200)),
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void) => setImmediate(ring)) as never),
  ];
  try {
    return await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** A world that tells of refresh tokens that were used twice, and whose hooks fail as long as they are told to. */
async function failing(): Promise<
  SessionWorld & { reused: unknown[]; setFails(fails: boolean): void; refresh(token: string): Promise<LoggedIn> }
> {
  const world = await createWorld();
  const reused: unknown[] = [];
  let fails = false;
  world.app.on('refresh-reuse', (event: unknown) => reused.push(event));
  const registered = world.app.service('authentication') as unknown as AuthenticationService & { hooks(map: object): unknown };
  registered.hooks({
    after: {
      create: [
        () => {
          if (fails) throw new Error('a hook has failed');
        },
      ],
    },
  });
  const refresh = (refreshToken: string): Promise<LoggedIn> =>
    registered.create({ strategy: 'refresh', refreshToken }) as unknown as Promise<LoggedIn>;
  return { ...world, reused, setFails: (given) => void (fails = given), refresh };
}

describe('the answer of a refresh', () => {
  it('that has left is not given again: its token counts once, and the second use ends the session', async () => {
    const { refresh, logIn, reused, service } = await failing();
    const { refreshToken, authentication } = await logIn();
    const second = await refresh(refreshToken);
    const { sid } = authentication.payload;
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 401 });
    expect(reused).toEqual([{ session: sid, user: '1' }]);
    await expect(service.verifyAccessToken(second.accessToken)).rejects.toMatchObject({ code: 401 });
  });

  it('that a hook behind it has lost is given again, to the same client', async () => {
    const { refresh, logIn, reused, setFails, service } = await failing();
    const { refreshToken } = await logIn();
    setFails(true);
    await expect(refresh(refreshToken)).rejects.toThrow('a hook has failed');
    setFails(false);
    const second = await withoutWaiting(() => refresh(refreshToken));
    expect(reused).toEqual([]);
    await expect(service.verifyAccessToken(second.accessToken)).resolves.toMatchObject({ sub: '1' });
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 401 });
  });

  it('leaves at once where no hook is around the login, as in a service that is not registered', async () => {
    const { app, users, reused } = await failing();
    const service = new AuthenticationService(app as unknown as AuthenticationApplication);
    service.register('name', new NameStrategy(users));
    const { refreshToken } = await service.create({ strategy: 'name', name: 'Ann' });
    await service.create({ strategy: 'refresh', refreshToken });
    await expect(service.create({ strategy: 'refresh', refreshToken })).rejects.toMatchObject({ code: 401 });
    expect(reused).toHaveLength(1);
    service.teardown();
  });

  it('of a login that a hook behind it refuses is the end of its session', async () => {
    const { app, service, store, setFails } = await failing();
    const registered = app.service('authentication') as unknown as AuthenticationService;
    setFails(true);
    await expect(registered.create({ strategy: 'name', name: 'Ann' })).rejects.toThrow('a hook has failed');
    const began = [...store.store.values()].filter(({ kind }) => kind === 'session');
    expect(began).toHaveLength(1);
    await expect(service.sessions?.check(began[0]?.id, '1')).rejects.toMatchObject({ code: 401 });
    expect(await service.sessions?.list('1')).toEqual([]);
  });

  it('of a login that fails is nobody’s, and a logout has none', async () => {
    const { app, logIn } = await failing();
    const registered = app.service('authentication') as unknown as AuthenticationService;
    await expect(registered.create({ strategy: 'name', name: 'Nobody' })).rejects.toMatchObject({
      code: 401,
      message: 'Nobody of this name',
    });
    const { accessToken } = await logIn();
    await expect(registered.remove(null, { authentication: { strategy: 'jwt', accessToken } })).resolves.toHaveProperty('accessToken');
  });
});

describe('what follows from a login', () => {
  /** Tells of logins, and what happens to a connection, as an around hook changes the result that it was given. */
  async function followed(change: (context: { result: Record<string, unknown> }) => void): Promise<{ event: unknown; connection: object }> {
    const { app } = await createWorld();
    const registered = app.service('authentication') as unknown as AuthenticationService;
    const heard: unknown[] = [];
    app.on('login', (result: unknown) => heard.push(result));
    app.hooks({
      around: {
        create: [
          async (context: { result: Record<string, unknown> }, next: () => Promise<void>) => {
            await next();
            expect(heard).toEqual([]);
            change(context);
          },
        ],
      },
    } as never);
    const connection = {};
    await registered.create({ strategy: 'name', name: 'Ann' }, { provider: 'socketio', connection } as object);
    return { event: heard[0], connection };
  }

  const whole = {
    accessToken: expect.any(String),
    user: { id: 1, name: 'Ann' },
    authentication: expect.objectContaining({ strategy: 'name' }),
  };

  it.each([
    ['leaves as it is', () => undefined],
    ['replaces', (context: { result: unknown }) => void (context.result = { welcome: true })],
    ['takes all away from', ({ result }: { result: object }) => Object.keys(result).forEach((key) => Reflect.deleteProperty(result, key))],
  ])('happens behind all hooks, with what it gave, where one of them %s the result', async (_what, change) => {
    const { event, connection } = await followed(change as never);
    expect(event).toEqual(whole);
    expect(connection).toEqual({ authentication: { strategy: 'jwt', accessToken: expect.any(String) }, user: { id: 1, name: 'Ann' } });
  });

  it('is done once, where a hook that repeats does the login a second time', async () => {
    const { app } = await createWorld();
    const heard: unknown[] = [];
    app.on('login', (result: unknown) => heard.push(result));
    const twice = repeating(async (_context: object, next: () => Promise<void>) => {
      await next();
      await next();
    });
    app.hooks({ around: { create: [twice] } } as never);
    const registered = app.service('authentication') as unknown as AuthenticationService;
    const answer = await registered.create({ strategy: 'name', name: 'Ann' }, { provider: 'rest' } as object);
    expect(heard).toEqual([expect.objectContaining({ accessToken: answer.accessToken })]);
  });
});

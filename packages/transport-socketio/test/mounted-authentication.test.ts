import { ApiKeyStrategy, authenticate } from '@framework/authentication';
import { framework } from '@framework/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { addAuthentication, call, connect, memory, start, stopAll, until, type AnyApplication } from './harness.ts';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

/** An application with logins and a service for whoever is logged in; its one user has the given name. */
async function withLogins(name: string, settings: object = {}): Promise<AnyApplication> {
  const app = framework() as unknown as AnyApplication;
  app.use('users', memory({ startId: 1 }));
  addAuthentication(app, settings);
  app.use('me', { find: async ({ user }: any) => ({ name: user.name }) } as never);
  app.service('me').hooks({ before: { find: [authenticate('jwt')] } });
  await app.service('users').create({ name });
  return app;
}

const bearer = (token: string): object => ({ extraHeaders: { authorization: `Bearer ${token}` } });
const tokenOf = (app: AnyApplication, options: object = {}): Promise<string> =>
  app.service('authentication').createAccessToken({}, { subject: '1', ...options });

/**
 * Notes who looks at the clock again a minute later, as what ends with a token does that counts for an hour.
 *
 * @returns puts the clock forward by that hour, and lets the minute be over
 */
function tokenEnds(): () => void {
  const { setTimeout: real } = globalThis;
  const { now } = Date;
  const looks: (() => void)[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((look: () => void, delay: number) => {
    if (delay === 60_000) looks.push(look);
    return real(look, delay);
  }) as never);
  return () => {
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    for (const look of looks) look();
  };
}

/** Tells each application's logins, whose connections join the channel of its name. */
function joining(outer: AnyApplication, inner: Readonly<Record<string, AnyApplication>>): void {
  for (const [name, app] of Object.entries(inner))
    app.on('login', (_result: unknown, { connection }: any) => connection && outer.channel(name).join(connection));
}

describe('a socket that is opened with the token of a mounted application (interface 5.2, 9)', () => {
  it('is logged in there, at any depth, and ends with the token', async () => {
    const inner = await withLogins('ann');
    const between = framework();
    between.use('v1', inner as never);
    const { app: outer, url } = await start((app) => {
      app.use('api', between as never);
      joining(app, { inner });
    });
    const endTokens = tokenEnds();
    const token = await tokenOf(inner, { expiresIn: '1h' });
    const socket = await connect(url, bearer(token));
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    expect(outer.channels).toEqual(['inner']);
    expect(await call(socket, 'find', 'api/v1/me')).toMatchObject({ result: { name: 'ann' } });
    endTokens();
    await closed;
    await until(() => outer.channels.length === 0);
    await expect(connect(url, bearer('wrong'))).rejects.toMatchObject({ data: { code: 401 } });
  });

  it('is that of the application whose token it is, where several are mounted', async () => {
    const secret = 'another secret of more than thirty-two bytes';
    const [first, second] = [await withLogins('ann'), await withLogins('bob', { secret })];
    const failed: unknown[] = [];
    for (const app of [first, second]) app.on('login-failed', (event: unknown) => failed.push(event));
    const { app: outer, url } = await start((app) => {
      app.use('first', first as never);
      app.use('second', second as never);
      joining(app, { first, second });
    });
    const socket = await connect(url, bearer(await tokenOf(second)));
    expect(outer.channels).toEqual(['second']);
    expect(await call(socket, 'find', 'second/me')).toMatchObject({ result: { name: 'bob' } });
    expect(await call(socket, 'find', 'first/me')).toMatchObject({ error: { code: 401 } });
    expect(failed).toEqual([]);
    await expect(connect(url, bearer('wrong'))).rejects.toMatchObject({ data: { code: 401 } });
  });

  it('is none of an application whose own authenticate() gives false for it', async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const [first, second] = [await withLogins('ann'), await withLogins('bob', { secret: 'another secret of more than thirty-two bytes' })];
    const service: any = first.service('authentication');
    const verified = service.authenticate.bind(service);
    service.authenticate = (...args: unknown[]) => verified(...args).catch(() => false);
    const { app: outer, url } = await start((app) => {
      app.use('first', first as never);
      app.use('second', second as never);
      joining(app, { first, second });
    });
    const socket = await connect(url, bearer(await tokenOf(second)));
    expect(outer.channels).toEqual(['second']);
    expect(await call(socket, 'find', 'second/me')).toMatchObject({ result: { name: 'bob' } });
    await expect(connect(url, bearer('wrong'))).rejects.toMatchObject({ data: { code: 401 } });
  });

  it('is that of the outer application, whose credentials come first', async () => {
    const inner = await withLogins('bob', { jwt: { header: 'X-Inner' } });
    const { app: outer, url } = await start((app) => {
      app.use('users', memory({ startId: 1 }));
      addAuthentication(app, { secret: 'another secret of more than thirty-two bytes' });
      app.use('inner', inner as never);
      joining(app, { outer: app, inner });
    });
    await outer.service('users').create({ name: 'ann' });
    const headers = { 'x-inner': await tokenOf(inner), authorization: `Bearer ${await tokenOf(outer)}` };
    const socket = await connect(url, { extraHeaders: headers });
    expect(outer.channels).toEqual(['outer']);
    const other = await connect(url, { extraHeaders: { 'x-inner': headers['x-inner'] } });
    expect(outer.channels).toEqual(['outer', 'inner']);
    expect(await call(other, 'find', 'inner/me')).toMatchObject({ result: { name: 'bob' } });
    socket.disconnect();
  });

  it('has its credentials with each call where they give no login', async () => {
    const inner = await withLogins('ann', { sessions: true, authStrategies: ['jwt', 'local', 'api-key'] });
    inner.use('sessions', memory());
    inner.service('authentication').register('api-key', new ApiKeyStrategy());
    inner.use('keyed', { find: async ({ user }: any) => ({ name: user.name }) } as never);
    inner.service('keyed').hooks({ before: { find: [authenticate('api-key')] } });
    const { app: outer, url } = await start((app) => {
      app.use('api', inner as never);
      joining(app, { inner });
    });
    const { key } = await inner.service('authentication').createApiKey({ entity: 1 });
    const socket = await connect(url, { extraHeaders: { 'x-api-key': key } });
    expect(outer.channels).toEqual([]);
    expect(await call(socket, 'find', 'api/keyed')).toMatchObject({ result: { name: 'ann' } });
  });
});

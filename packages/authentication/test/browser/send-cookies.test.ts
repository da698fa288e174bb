import { callerAnswer, createContext, framework, type HookContext } from '@framework/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryService } from '@framework-internal/testing';
import { AuthenticationService, JWTStrategy, type AuthenticationResult, type SessionOptions } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const NAME = { strategy: 'name', name: 'Ann' };
const OWN = { provider: 'rest', headers: { origin: 'https://shop.example.com', host: 'shop.example.com' } };

type Registered = SessionWorld['service'] & { hooks(map: object): unknown };

/** Logs in as a page does, where refresh tokens are in cookies. */
async function logIn(hooks: object): Promise<HookContext> {
  const { app } = await createWorld({ sessions: { cookie: true } });
  const registered = app.service('authentication') as unknown as Registered;
  registered.hooks(hooks);
  const context = createContext(registered, 'create');
  await Reflect.apply(registered.create, registered, [NAME, OWN, context]);
  return context;
}

const cookiesOf = ({ http }: HookContext): string[] => [http.headers?.['Set-Cookie'] ?? []].flat();

const tokenOf = (context: HookContext): string => {
  const [cookie = ''] = cookiesOf(context).filter((one) => one.startsWith('__Host-refresh='));
  return cookie.slice('__Host-refresh='.length).split(';', 1)[0] ?? '';
};

it('the cookies of a login leave those that a hook has set', async () => {
  const theme = (inner: HookContext): void => {
    inner.http.headers = { 'Set-Cookie': 'theme=dark' };
  };
  const context = await logIn({ after: { create: [theme] } });
  expect(cookiesOf(context).map((cookie) => cookie.split('=', 1)[0])).toEqual([
    'theme',
    '__Host-refresh',
    '__Host-access',
    '__Host-device',
  ]);
});

it.each<[what: string, result: (result: AuthenticationResult) => unknown]>([
  ['the token', ({ accessToken: _accessToken, ...rest }) => rest],
  ['what the token holds', ({ authentication: _authentication, ...rest }) => rest],
  ['all but the user', ({ user }) => ({ user })],
  ['everything', () => null],
])('the cookies of a login do not depend on what a hook leaves of the answer: without %s', async (_what, left) => {
  const cut = (inner: HookContext): void => {
    inner.result = left(inner.result as AuthenticationResult);
  };
  const context = await logIn({ after: { create: [cut] } });
  expect(cookiesOf(context).map((cookie) => cookie.split('=', 1)[0])).toEqual(['__Host-refresh', '__Host-access', '__Host-device']);
});

it('the cookies of a login are set for a token that only the service can read', async () => {
  const { app, service } = await createWorld({ sessions: { cookie: true } });
  const make = service.createAccessToken.bind(service);
  service.createAccessToken = async (...args) => `sealed.${Buffer.from(await make(...args)).toString('hex')}`;
  const registered = app.service('authentication') as unknown as Registered;
  const context = createContext(registered, 'create');
  await Reflect.apply(registered.create, registered, [NAME, OWN, context]);
  expect(cookiesOf(context).map((cookie) => cookie.split('=', 1)[0])).toEqual(['__Host-refresh', '__Host-access', '__Host-device']);
});

it('a token that only comes back sets no cookies', async () => {
  const { app, logIn: begin } = await createWorld({ sessions: { cookie: true } });
  const { accessToken } = await begin();
  const registered = app.service('authentication') as unknown as Registered;
  const context = createContext(registered, 'create');
  await Reflect.apply(registered.create, registered, [{ strategy: 'jwt', accessToken }, OWN, context]);
  expect([cookiesOf(context), context.result]).toEqual([[], expect.objectContaining({ accessToken })]);
});

it('a call of the server itself comes from no page, whatever headers it passes on', async () => {
  const { service } = await createWorld({ sessions: { cookie: true } });
  const headers = { ...OWN.headers, origin: 'https://evil.example.com' };
  expect(await service.create(NAME, { headers })).toHaveProperty('accessToken');
  await expect(service.create(NAME, { provider: 'rest', headers })).rejects.toMatchObject({ code: 403 });
});

describe('S32 a refresh token that goes into a cookie', () => {
  it('is seen by no hook of the service, and is in nothing that one copies for the caller', async () => {
    const seen: unknown[] = [];
    const context = await logIn({
      after: {
        create: [
          (inner: HookContext) => {
            seen.push(inner.result);
            inner.dispatch = { ...(inner.result as object) };
          },
        ],
      },
    });
    expect(tokenOf(context)).toHaveLength(89);
    expect(JSON.stringify([seen, callerAnswer(context)])).not.toContain(tokenOf(context));
  });

  it('gets there also where a hook gives the call other parameters', async () => {
    const replace = (inner: HookContext): void => {
      inner.params = { provider: 'rest', headers: OWN.headers };
    };
    const context = await logIn({ before: { create: [replace] } });
    expect(tokenOf(context)).toHaveLength(89);
    expect(JSON.stringify(callerAnswer(context))).not.toContain(tokenOf(context));
  });
});

it.each<[what: string, first: SessionOptions, second: SessionOptions, warnings: number]>([
  ['the same names', { cookie: true }, { refresh: 'cookie' }, 1],
  ['a name for one', { cookie: true }, { cookie: true, cookieName: 'admin' }, 0],
  ['none for one', { cookie: true }, {}, 0],
])('two services of one application are told of cookies that take the place of each other: %s', async (_what, first, second, warnings) => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    const app = framework();
    app.use('sessions', new MemoryService());
    for (const [path, sessions] of Object.entries({ authentication: first, admin: second })) {
      app.set(path, { secret: 'a secret of more than thirty-two bytes, for tests', entity: null, authStrategies: ['jwt'], sessions });
      const service = new AuthenticationService(app as never, path);
      service.register('jwt', new JWTStrategy());
      app.use(path, service as never);
    }
    await app.setup();
    expect(warn.mock.calls).toEqual(
      Array(warnings).fill([
        "The authentication services 'admin' and 'authentication' have cookies of the same names: a login at one takes the place of that at the other. Give one of them 'sessions.cookieName'",
        { code: 'SAME_COOKIES' },
      ]),
    );
    await app.teardown();
  } finally {
    warn.mockRestore();
  }
});

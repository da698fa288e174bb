import { authenticate as hook, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import express, { authenticate, errorHandler, notFound, parseAuthentication } from '../../src/index.ts';
import { send, start } from '../harness.ts';

const HOOK = 'This authenticate() is a hook';
const MIDDLEWARE = 'This authenticate() is middleware';

describe('authenticate', () => {
  it.each(['before', 'around'])('the middleware as a %s hook fails the call with a sentence, and the process goes on', async (type) => {
    const logged: unknown[] = [];
    const running = await start(
      (app) => {
        app.use('notes', new MemoryService());
        app.service('notes').hooks({ [type]: { all: [authenticate('jwt')] } } as never);
      },
      { logger: (error) => void logged.push(error) },
    );
    const answers = [await send(running.url, '/notes'), await send(running.url, '/notes')];
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(String(logged[0])).toContain(MIDDLEWARE);
    await running.stop();
  });

  it('refuses everybody where there is no authentication service, of which whoever runs the application is told', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const running = await start((app) => {
      app.get('/page', authenticate('jwt'), (_req, res) => void res.send('secret'));
      app.get('/other', authenticate({ service: 'login', strategies: ['jwt'] }), (_req, res) => void res.send('secret'));
    });
    for (const path of ['/other', '/page', '/page'])
      expect(await send(running.url, path)).toMatchObject({
        status: 401,
        body: { message: 'Could not find a valid authentication service' },
      });
    expect(warned.mock.calls).toEqual([
      ["A guard lets nobody in, as the application has no authentication service at 'login'", { code: 'NO_AUTHENTICATION' }],
    ]);
    warned.mockRestore();
    await running.stop();
  });

  it('the hook as middleware fails the request with a sentence', async () => {
    const logged: unknown[] = [];
    const running = await start(
      (app) => {
        app.get('/page', hook('jwt') as never, (_req, res) => void res.send('secret'));
      },
      { logger: (error) => void logged.push(error) },
    );
    expect((await send(running.url, '/page')).status).toBe(500);
    expect(String(logged[0])).toContain(HOOK);
    await running.stop();
  });

  it.each(['/', 'v1/login'])(
    'the middleware finds the authentication service at %j, whatever slashes are around its path',
    async (path) => {
      const running = await start((app) => {
        app.set('login', { secret: 'a secret of more than thirty-two bytes', authStrategies: ['jwt'], entity: null });
        const service = new AuthenticationService(app, 'login');
        service.register('jwt', new JWTStrategy());
        app.use(path, service as never);
        app.get('/page/of/one', authenticate({ service: `//${path}/`, strategies: ['jwt'] }), (_req, res) => void res.send('seen'));
      });
      const login = running.app.service(path) as unknown as AuthenticationService;
      const token = await login.createAccessToken({ sub: '1' });
      const answers = [
        await send(running.url, '/page/of/one', { headers: { Authorization: `Bearer ${token}` } }),
        await send(running.url, '/page/of/one'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 401]);
      await running.stop();
    },
  );

  /** What `parseAuthentication()` hands on for a request with a token, behind middleware that has set its `framework`. */
  const parsed = async (given: unknown): Promise<{ error: unknown; req: Record<string, unknown> }> => {
    const app = express(framework());
    app.set('authentication', { secret: 'a secret of more than thirty-two bytes', authStrategies: ['jwt'], entity: null });
    const service = new AuthenticationService(app);
    service.register('jwt', new JWTStrategy());
    app.use('authentication', service as never);
    const req: Record<string, unknown> = { app, headers: { authorization: 'Bearer of-Ann' }, framework: given };
    const nothing = new Promise((resolve) => setTimeout(resolve, 2000, 'nothing was handed on').unref());
    const handedOn = new Promise((resolve) => {
      parseAuthentication()(req as never, {} as never, resolve as never);
    });
    return { error: await Promise.race([handedOn, nothing]), req };
  };

  it('S47 what middleware has put on a request, and can not be read, is an error', async () => {
    const unreadable = {
      get authentication(): never {
        throw new Error('not to be read');
      },
    };
    expect((await parsed(unreadable)).error).toEqual(new Error('not to be read'));
  });

  it.each([null, undefined])('credentials are read of a request whose framework is %j', async (given) => {
    const { error, req } = await parsed(given);
    expect([error, req.framework]).toEqual([undefined, { authentication: { strategy: 'jwt', accessToken: 'of-Ann' } }]);
  });

  it('an error handler refuses options that there are not', () => {
    expect(() => errorHandler({ htm: false } as never)).toThrow("errorHandler() has no option 'htm'");
  });

  it.each([
    ['html', 'error.html', 'a function, false, or an object from status to file or function'],
    ['html', { 404: 5 }, 'a function, false, or an object from status to file or function'],
    ['json', { default: 'error.json' }, 'a function, or an object from status to function'],
    ['json', null, 'a function, or an object from status to function'],
    ['logger', { warn: () => undefined }, 'a function, an object with a method error, or false'],
    ['logger', true, 'a function, an object with a method error, or false'],
    ['expose', 'true', 'true or false'],
    ['public', 5, 'the path of a folder'],
  ])('an error handler refuses an option %s of another kind: %j', (name, value, expected) => {
    expect(() => errorHandler({ [name]: value })).toThrow(`The option '${name}' of errorHandler() is ${expected}`);
  });

  it.each([
    ['html', 'defualt', 'error.html'],
    ['html', '4xx', 'error.html'],
    ['html', '1404', 'error.html'],
    ['html', '200', () => undefined],
    ['json', 'NotFound', () => undefined],
    ['json', '', () => undefined],
  ])('an error handler refuses %s for a status that no error has: %j', (name, status, answer) => {
    expect(() => errorHandler({ [name]: { 404: answer, default: answer, [status]: answer } })).toThrow(
      new TypeError(
        `The option '${name}' of errorHandler() is by status, 400 to 599, and 'default' for the others: '${status}' is none, and would never be asked`,
      ),
    );
  });

  it('an error handler takes options that are undefined for left out', () => {
    const missing = { html: undefined, json: { 404: undefined }, logger: undefined, expose: undefined, public: undefined };
    expect(() => errorHandler(missing as never)).not.toThrow();
  });

  it.each(['jwt', 5, {}, null, ['jwt', null], ['jwt', '']])('strategies are a list of names, and not %j', (strategies) => {
    for (const [of, make] of [
      ['authenticate()', authenticate],
      ['parseAuthentication()', parseAuthentication],
    ] as const) {
      expect(() => make({ strategies } as never)).toThrow(`The option 'strategies' of ${of} is a list of names, and not `);
      expect(() => make({ strategies: ['jwt'], service: strategies === 'jwt' ? '' : strategies } as never)).toThrow(
        `The option 'service' of ${of} is a name, and not `,
      );
    }
  });

  it.each(['false', 0, null])('notFound() is verbose or not, and not %j', (verbose) => {
    expect(() => notFound({ verbose } as never)).toThrow("The option 'verbose' of notFound() is true or false, and not ");
  });
});

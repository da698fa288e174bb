import { authenticate, AuthenticationBaseStrategy, AuthenticationService, JWTStrategy } from '@feathersjs/authentication';
import { hooks as localHooks, LocalStrategy } from '@feathersjs/authentication-local';
import { memory } from '@feathersjs/memory';
import socketio from '@feathersjs/socketio';
import { AuthenticationService as OwnAuthenticationService } from '@framework/authentication';
import { authenticate as authenticateMiddleware } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { plugin, request, start, stopAll, type Running } from '../application.ts';
import { call, connectClient, disconnectAll } from '@framework-internal/testing/sockets';

const credentials = { strategy: 'local', email: 'ann@example.com', password: 'the right password' };

async function startProtected(): Promise<Running> {
  const running = await start((app) => {
    app.configure(plugin(socketio()));
    app.set('authentication', {
      secret: 'a secret of more than thirty-two bytes, for tests',
      service: 'users',
      entity: 'user',
      authStrategies: ['jwt', 'local'],
      local: { usernameField: 'email', passwordField: 'password', hashSize: 4 },
    });
    app.use('users', memory({ startId: 1 }));
    app
      .service('users')
      .hooks({ before: { create: [localHooks.hashPassword('password')] }, after: { all: [localHooks.protect('password')] } });
    const authentication = new AuthenticationService(app as never);
    authentication.register('jwt', new JWTStrategy());
    authentication.register('local', new LocalStrategy());
    app.use('authentication', authentication);
    app.use('notes', {
      async find({ user, provider }: any) {
        return { email: user.email, provider };
      },
    });
    app.service('notes').hooks({ before: { all: [authenticate('jwt')] } });
    app.get('/whoami', authenticateMiddleware('jwt'), (req: any, res: any) => res.json(req.framework.user.email));
  });
  await running.app.service('users').create({ email: credentials.email, password: credentials.password });
  return running;
}

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe("the incumbent's authentication in an application of ours", () => {
  it('logs in, protects services and middleware, and logs out over REST', async () => {
    const { app, url } = await startProtected();
    const events: string[] = [];
    for (const name of ['login', 'logout']) app.on(name, () => events.push(name));
    expect((await request(url, 'GET', '/notes')).status).toBe(401);
    expect((await request(url, 'POST', '/authentication', { ...credentials, password: 'wrong' })).body.message).toBe('Invalid login');

    const { status, body } = await request(url, 'POST', '/authentication', credentials);
    expect(status).toBe(201);
    expect(body).toMatchObject({ accessToken: expect.any(String), user: { email: credentials.email } });
    expect(body.user).not.toHaveProperty('password');
    const headers = { authorization: `Bearer ${body.accessToken}` };
    expect((await request(url, 'GET', '/notes', undefined, headers)).body).toEqual({ email: credentials.email, provider: 'rest' });
    expect((await request(url, 'GET', '/whoami', undefined, headers)).body).toBe(credentials.email);
    expect((await request(url, 'GET', '/whoami')).status).toBe(401);
    expect((await request(url, 'DELETE', '/authentication', undefined, headers)).status).toBe(200);
    expect(events).toEqual(['login', 'logout']);
  });

  it('authenticates its sockets', async () => {
    const { url } = await startProtected();
    const { app, socket } = await connectClient(url);
    await app.authenticate(credentials);
    expect((await call(socket, 'find', 'notes', {})).result).toEqual({ email: credentials.email, provider: 'socketio' });
    await app.logout();
    expect((await call(socket, 'find', 'notes', {})).error).toMatchObject({ name: 'NotAuthenticated', code: 401 });
  });
});

describe("strategies of the incumbent's in our authentication service", () => {
  async function startWith(name: string, strategy: AuthenticationBaseStrategy): Promise<Running> {
    return start((app) => {
      app.set('authentication', {
        secret: 'a secret of more than thirty-two bytes, for tests',
        service: 'users',
        entity: 'user',
        authStrategies: ['jwt', name],
        local: { usernameField: 'email', passwordField: 'password', hashSize: 4 },
      });
      app.use('users', memory({ startId: 1 }));
      const authentication = new OwnAuthenticationService(app as never);
      authentication.register('jwt', new JWTStrategy() as never);
      authentication.register(name, strategy as never);
      app.use('authentication', authentication);
    });
  }

  class CardStrategy extends AuthenticationBaseStrategy {
    async authenticate({ card }: { card?: unknown }): Promise<{ authentication: { strategy: string }; user: unknown }> {
      const users = await this.app!.service('users').find({ query: { card: String(card) } });
      return { authentication: { strategy: String(this.name) }, user: users[0] };
    }
  }

  it('log in, and know the token, where they are of the own making', async () => {
    const { app, url } = await startWith('card', new CardStrategy());
    app.service('users').hooks({ before: { find: [authenticate('jwt')] } });
    await app.service('users').create({ card: '7' });
    const { status, body } = await request(url, 'POST', '/authentication', { strategy: 'card', card: 7 });
    expect([status, body.user]).toEqual([201, { id: 1, card: '7' }]);
    const headers = { authorization: `Bearer ${body.accessToken}` };
    expect((await request(url, 'GET', '/users', undefined, headers)).status).toBe(200);
    await request(url, 'DELETE', '/authentication', undefined, headers);
    expect((await request(url, 'GET', '/users', undefined, headers)).status).toBe(401);
  });

  it('are refused at start where they are made of the one for passwords, which takes operators for a username', async () => {
    class Subclass extends LocalStrategy {}
    for (const strategy of [new LocalStrategy(), new Subclass()])
      await expect(startWith('local', strategy)).rejects.toThrow(
        /^The strategy 'local' extends a class of FeathersJS, .*: extend LocalStrategy of @framework\/authentication-local/,
      );
  });

  it('are refused at start where they are made for its flow of logins at providers', async () => {
    class Provider extends CardStrategy {
      async getProfile(): Promise<object> {
        return Promise.resolve({});
      }
    }
    await expect(startWith('github', new Provider())).rejects.toThrow(
      /^The strategy 'github' extends a class of FeathersJS, .*: extend OAuthStrategy of @framework\/authentication-oauth, and take oauth\(\) of it$/,
    );
  });
});

import { framework, type Application } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { AuthenticationService, JWTStrategy, type AuthenticationConfiguration } from '../../src/index.ts';
import { SECRET } from '../harness.ts';

const OTHER = 'YW5vdGhlciBzZWNyZXQsIGxvbmcgZW5vdWdoIGZvciB0ZXN0cw==';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const EDDSA = { secret: privateKey, jwtOptions: { algorithm: 'EdDSA' } };

/** An application, or the part of one, with users, admins, and an authentication service for one of them. */
function addLogin(app: Application, name: string, options: AuthenticationConfiguration): AuthenticationService {
  for (const path of ['users', 'admins', 'sessions', '/']) if (!(path in app.services)) app.use(path, new MemoryService({ startId: 1 }));
  app.set(name, { secret: SECRET, service: 'users', entity: 'user', authStrategies: ['jwt'], ...options });
  const service = new AuthenticationService(app, name);
  service.register('jwt', new JWTStrategy());
  app.use(name, service);
  return service;
}

function withTwo(first: AuthenticationConfiguration, second: AuthenticationConfiguration): Application {
  const app = framework() as Application;
  addLogin(app, 'authentication', first);
  addLogin(app, 'admin', second);
  return app;
}

const ADMINS = { service: 'admins' };

describe('two authentication services of an application (security S18)', () => {
  it.each<[string, AuthenticationConfiguration, AuthenticationConfiguration]>([
    ['the same secret and audience', {}, ADMINS],
    ['a key of before that is the present one of the other', {}, { ...ADMINS, secret: OTHER, keys: [{ kid: 'old', secret: SECRET }] }],
    ['an audience among those of the other', { jwtOptions: { audience: 'a' } }, { ...ADMINS, jwtOptions: { audience: ['b', 'a'] } }],
    ['the public half of the key of the other', EDDSA, { ...ADMINS, secret: publicKey, jwtOptions: { algorithm: 'EdDSA' } }],
    ['sessions at the one that makes the tokens alone', { sessions: true }, ADMINS],
    ['entities of the outermost path', { service: '/' }, ADMINS],
    ['tokens that count later', { jwtOptions: { notBefore: '1h' } }, ADMINS],
    ['entities of the strategy', {}, { jwt: ADMINS, jwtOptions: { issuer: ['framework', 'other'] } }],
  ])('S18 do not start with %s, where an id means somebody else', async (_title, first, second) => {
    await expect(withTwo(first, second).setup()).rejects.toThrow(
      "Tokens of 'authentication' would count at 'admin', for whoever has the same id in 'admins'. " +
        "Give 'admin' a 'secret' or a 'jwtOptions.audience' of its own, or set 'admin.sessions'",
    );
  });

  it.each<[string, AuthenticationConfiguration, AuthenticationConfiguration]>([
    ['secrets of their own', {}, { ...ADMINS, secret: OTHER }],
    ['audiences of their own', {}, { ...ADMINS, jwtOptions: { audience: 'https://admin.example.com' } }],
    ['issuers of their own', {}, { ...ADMINS, jwtOptions: { issuer: 'admin' } }],
    ['types of their own', {}, { ...ADMINS, jwtOptions: { header: { typ: 'admin' } } }],
    ['sessions', { sessions: true }, { ...ADMINS, sessions: true }],
    ['the same entities', {}, { service: '/users/' }],
    ['no entities at one of them', {}, { entity: null }],
  ])('S18 start with %s', async (_title, first, second) => {
    await expect(withTwo(first, second).setup()).resolves.toBeDefined();
  });

  it('S18 do not start where one is in a mounted application with users of its own', async () => {
    const [app, inner] = [framework() as Application, framework() as Application];
    addLogin(app, 'authentication', {});
    addLogin(inner, 'authentication', {});
    app.use('/inner', inner);
    await expect(app.setup()).rejects.toThrow(
      "Tokens of 'authentication' would count at 'inner/authentication', for whoever has the same id in 'users'",
    );
  });

  it('S18 do not start where both are in mounted applications, which do not know each other', async () => {
    const [app, first, second] = [framework() as Application, framework() as Application, framework() as Application];
    addLogin(first, 'authentication', {});
    addLogin(second, 'authentication', {});
    app.use('/first', first).use('/second', second);
    await expect(app.setup()).rejects.toThrow(
      "Tokens of 'first/authentication' would count at 'second/authentication', for whoever has the same id in 'users'",
    );
  });

  const usersOf = (made: object): object => Object.assign(new MemoryService({ startId: 1 }), { getModel: () => Promise.resolve(made) });
  const [client, otherClient, same] = [{}, {}, {}];

  it.each<[title: string, refused: boolean, first: object, second: object]>([
    ['one collection', false, same, same],
    ['one collection, by two objects', false, { namespace: 'app.users', client }, { namespace: 'app.users', client }],
    ['two collections', true, { namespace: 'app.users', client }, { namespace: 'app.people', client }],
    [
      'collections of one name, of two databases',
      true,
      { namespace: 'app.users', client },
      { namespace: 'app.users', client: otherClient },
    ],
    ['collections of one name, of who knows which databases', true, { namespace: 'app.users' }, { namespace: 'app.users' }],
  ])('S18 with two services of users in applications that are mounted beside each other: %s', async (_title, refused, ...users) => {
    const app = framework() as Application;
    for (const [index, made] of users.entries()) {
      const inner = framework() as Application;
      inner.use('users', usersOf(made) as never);
      addLogin(inner, 'authentication', {});
      app.use(`/${String(index)}`, inner);
    }
    const started = expect(app.setup());
    await (refused
      ? started.rejects.toThrow(
          /^Tokens of '0\/authentication' would count at .+ where both are to have the same users, give them one service of users$/,
        )
      : started.resolves.toBe(app));
  });

  const collection = (namespace: string): object => Object.assign(new MemoryService(), { getModel: () => Promise.resolve({ namespace }) });

  const twice = (): [object, object] => {
    const store = new MemoryService();
    return [store, store];
  };

  it.each<[title: string, refused: boolean, stores: () => [object, object], other: AuthenticationConfiguration]>([
    ['one store', true, twice, {}],
    ['one store and a secret of its own', true, twice, { secret: OTHER }],
    ['stores on one collection', true, () => [collection('app.sessions'), collection('app.sessions')], {}],
    ['stores on two collections', false, () => [collection('app.sessions'), collection('app.inner')], {}],
    ['stores of their own', false, () => [new MemoryService(), new MemoryService()], {}],
    ['one store and an audience of its own', false, twice, { jwtOptions: { audience: 'inner' } }],
  ])(
    'S18 with sessions, and the same setting and users of their own in a mounted application: %s',
    async (_title, refused, stores, other) => {
      const [app, inner] = [framework() as Application, framework() as Application];
      const [outer, own] = stores();
      app.use('sessions', outer as never);
      inner.use('sessions', own as never);
      addLogin(app, 'authentication', { sessions: true });
      addLogin(inner, 'authentication', { sessions: true, ...other });
      app.use('/inner', inner);
      const message =
        "Sessions of 'authentication' would count at 'inner/authentication', for whoever has the same id in 'users': both keep them in one place, with the same setting, audience and path of " +
        "users. Give 'authentication' at 'inner/authentication' a 'jwtOptions.audience' or a 'sessions.service' of its own";
      const started = expect(app.setup());
      await (refused ? started.rejects.toThrow(new Error(message)) : started.resolves.toBe(app));
    },
  );

  it('S18 are looked at where the second one comes later', async () => {
    const app = framework() as Application;
    addLogin(app, 'authentication', {});
    await app.setup();
    const late = addLogin(app, 'admin', ADMINS);
    await expect(late.setup(app, 'admin')).rejects.toThrow("Tokens of 'admin' would count at 'authentication'");
  });
});

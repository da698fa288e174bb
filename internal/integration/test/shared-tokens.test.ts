import { randomBytes } from 'node:crypto';
import { MemoryService } from '@framework/adapter-memory';
import { AuthenticationService, JWTStrategy, type AuthenticationConfiguration } from '@framework/authentication';
import { framework } from '@framework/core';
import express, { json, rest } from '@framework/transport-express';
import { describe, expect, it } from '@jest/globals';

const SECRET = randomBytes(48).toString('base64');
type App = any;

/** An authentication service with users of its own. */
function addLogin(app: App, name: string, users: string, options: AuthenticationConfiguration = {}): void {
  app.set(name, { secret: SECRET, service: users, entity: 'user', authStrategies: ['jwt'], ...options });
  app.use(users, new MemoryService());
  const authentication = new AuthenticationService(app, name);
  authentication.register('jwt', new JWTStrategy());
  app.use(name, authentication);
}

function application(): App {
  const app: App = express(framework());
  app.use(json());
  app.configure(rest());
  return app;
}

describe('two authentication services of which one takes tokens of the other', () => {
  it('S18 keep an application of Express from starting', async () => {
    const app = application();
    addLogin(app, 'authentication', 'users');
    addLogin(app, 'admin', 'admins');
    await expect(app.setup()).rejects.toThrow("Tokens of 'authentication' would count at 'admin', for whoever has the same id in 'admins'");
    await expect(app.service('authentication').create({ strategy: 'jwt' }, {})).rejects.toThrow('lets nobody in');
  });

  it.each([
    ['mounted by Express', application],
    ['mounted as it is made', (): App => framework()],
  ])('S18 keep an application of Express from starting, where they are in two that are %s', async (_how, inner) => {
    const app = application();
    for (const name of ['first', 'second']) {
      const mounted = inner();
      addLogin(mounted, 'authentication', 'users');
      app.use(`/${name}`, mounted);
    }
    await expect(app.setup()).rejects.toThrow("Tokens of 'first/authentication' would count at 'second/authentication'");
  });

  it('S18 keep an application of Express from starting by their sessions, though each has a secret of its own', async () => {
    const store = new MemoryService();
    const app = application();
    for (const name of ['first', 'second']) {
      const inner = application();
      inner.use('sessions', store);
      addLogin(inner, 'authentication', 'users', { secret: randomBytes(48).toString('base64'), sessions: true });
      app.use(`/${name}`, inner);
    }
    await expect(app.setup()).rejects.toThrow("Sessions of 'first/authentication' would count at 'second/authentication'");
  });

  it('S18 start in an application of Express where each has an audience of its own', async () => {
    const app = application();
    addLogin(app, 'authentication', 'users');
    addLogin(app, 'admin', 'admins', { jwtOptions: { audience: 'https://admin.example.com' } });
    await expect(app.setup()).resolves.toBe(app);
  });
});

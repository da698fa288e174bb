import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework, type Application } from '@framework/core';
import { NotFound, Unavailable } from '@framework/errors';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { LocalStrategy } from '../src/index.ts';
import { DEFAULT_COST, hashPassword } from '../src/password/password-hash.ts';

const outside = { provider: 'rest' };
const RIGHT = 'correct horse';

interface Row {
  readonly id: unknown;
  readonly email: string;
  password: string;
}

/** Users whose ids are of several types, as a database without a schema keeps them: 1 and '1' are two. */
class Users {
  readonly id = 'id';
  readonly rows: Row[] = [];
  fault: Error | undefined;

  async find({ query }: { query: { email: string } }): Promise<Row[]> {
    return this.rows.filter(({ email }) => email === query.email);
  }

  async get(id: unknown): Promise<Row> {
    if (this.fault) throw this.fault;
    const found = this.rows.find((row) => row.id === id);
    if (!found) throw new NotFound(`No record found for id '${String(id)}'`);
    return found;
  }
}

async function withUsers(sessions: boolean, ids: readonly unknown[]) {
  const app = framework() as Application;
  app.set('authentication', {
    secret: 'a secret that is long enough for tests 42',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password' },
    sessions,
  });
  const users = new Users();
  app.use('users', users);
  app.use('sessions', new MemoryService({}));
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  await app.setup();
  for (const [index, id] of ids.entries())
    users.rows.push({ id, email: `${String(index)}@b.c`, password: await hashPassword(RIGHT, DEFAULT_COST) });
  const logIn = (index: number) => service.create({ strategy: 'local', email: `${String(index)}@b.c`, password: RIGHT }, {});
  return { app, service, users, logIn };
}

describe.each([false, true])('a token names its user by the text of the id, sessions %p', (sessions) => {
  it('S18 so that nobody logs in with a number of which another has the text', async () => {
    const { app, service, logIn } = await withUsers(sessions, ['1', 1]);
    await expect(logIn(1)).rejects.toMatchObject({ code: 401, message: 'invalid token' });
    const { accessToken } = await logIn(0);
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, outside, 'jwt')).resolves.toMatchObject({
      user: { email: '0@b.c' },
    });
    await app.teardown();
  });
});

it('S18 a login from which the entity has no secrets is looked at too', async () => {
  const { service, users } = await withUsers(false, ['1', 1]);
  service.register('given', { authenticate: async () => ({ user: users.rows[1], authentication: { strategy: 'given' } }) });
  const create = service.create({ strategy: 'given' }, { authStrategies: ['given'] });
  await expect(create).rejects.toMatchObject({ code: 401, message: 'invalid token' });
});

it('without sessions somebody logs in whom this server does not find by a text, and nobody while it can not be asked', async () => {
  const { logIn, users } = await withUsers(false, [7]);
  await expect(logIn(0)).resolves.toMatchObject({ user: { id: 7 }, authentication: { payload: { sub: '7' } } });
  users.fault = new Unavailable('not now');
  await expect(logIn(0)).rejects.toMatchObject({ code: 503 });
});

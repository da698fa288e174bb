import { authenticate } from '@framework/authentication';
import { hashPassword } from '@framework/authentication-local';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addAuthentication, call, collect, connect, memory, start, stopAll, until } from './harness.ts';

afterEach(stopAll);

const credentials = (email: string) => ({ strategy: 'local', email, password: 'the right password' });

it.each([
  ['of somebody else', 'bob@example.com', 2],
  ['of the same user', 'ann@example.com', 1],
])('a logout that ends behind another login %s takes nothing from it', async (_whose, email, id) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { app, url } = await start((made) => {
    made.use('users', memory({ startId: 1 }));
    made.service('users').hooks({ before: { create: [hashPassword('password')] } });
    addAuthentication(made);
    made.service('authentication').hooks({ after: { remove: [() => released] } });
    made.use('notes', memory());
    made.on('login', ({ user }: { user: { id: number } }, { connection }: { connection?: object }) => {
      if (connection) made.channel(`users/${user.id}`).join(connection);
    });
    made.service('notes').publish(({ to }: { to: number }) => made.channel(`users/${to}`));
  });
  for (const name of ['ann', 'bob']) await app.service('users').create(credentials(`${name}@example.com`));
  const socket = await connect(url);
  const received = collect(socket, 'notes created');
  await call(socket, 'create', 'authentication', credentials('ann@example.com'), {});
  const leaving = call(socket, 'remove', 'authentication', null, {});
  await call(socket, 'create', 'authentication', credentials(email), {});
  release();
  expect((await leaving).error).toBeNull();
  await app.service('notes').create({ to: 3 - id });
  await app.service('notes').create({ to: id });
  await until(() => received.length > 0);
  expect(received).toEqual([{ id: 1, to: id }]);
});

describe('a logout that comes while a login is on its way', () => {
  /** A login that waits until it is let go, and the logout that overtakes it. */
  async function overtaken(before: (socket: Parameters<typeof call>[0]) => Promise<unknown>) {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { app, url } = await start((made) => {
      made.use('users', memory({ startId: 1 }));
      made.service('users').hooks({ before: { create: [hashPassword('password')] } });
      addAuthentication(made);
      made
        .service('authentication')
        .hooks({ after: { create: [({ result }: any) => (result.user.email === 'bob@example.com' ? released : undefined)] } });
      made.use('notes', memory());
      made.service('notes').hooks({ around: { find: [authenticate('jwt')] } });
      made.on('login', (_result: unknown, { connection }: { connection?: object }) => {
        if (connection) made.channel('users').join(connection);
      });
    });
    for (const name of ['ann', 'bob']) await app.service('users').create(credentials(`${name}@example.com`));
    const socket = await connect(url);
    await before(socket);
    const login = call(socket, 'create', 'authentication', credentials('bob@example.com'), {});
    const logout = await call(socket, 'remove', 'authentication', null, {});
    release();
    return { login: await login, logout, socket, app };
  }

  it.each([
    ['nobody is logged in', async () => undefined, 401],
    ['somebody is', (socket: any) => call(socket, 'create', 'authentication', credentials('ann@example.com'), {}), undefined],
  ])('leaves the connection to nobody, where %s', async (_who, before, code) => {
    const { login, logout, socket, app } = await overtaken(before);
    expect((logout.error as { code?: number } | null)?.code).toBe(code);
    expect(login.error).toMatchObject({
      code: 409,
      message: 'The connection was logged out while this login was on its way. Log in again',
    });
    expect((await call(socket, 'find', 'notes', {})).error).toMatchObject({ code: 401 });
    expect(app.channel('users').length).toBe(0);
    expect((await call(socket, 'create', 'authentication', credentials('ann@example.com'), {})).error).toBeNull();
    expect((await call(socket, 'find', 'notes', {})).error).toBeNull();
  });
});

describe('a login that ends behind one that came later', () => {
  /** Two logins over one connection; the first is held until the second has its answer. */
  async function both(later: string) {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    const { app, url } = await start((made) => {
      made.use('users', memory({ startId: 1 }));
      made.service('users').hooks({ before: { create: [hashPassword('password')] } });
      addAuthentication(made);
      const holdFirst = (): Promise<void> | undefined => {
        const held = isFirst ? released : undefined;
        isFirst = false;
        return held;
      };
      made.service('authentication').hooks({ before: { create: [holdFirst] } });
      made.use('who', { find: async ({ user }: { user: { email: string } }) => ({ email: user.email }) });
      made.service('who').hooks({ around: { find: [authenticate('jwt')] } });
      made.on('login', ({ user }: { user: { email: string } }, { connection }: { connection?: object }) => {
        if (connection) made.channel(user.email).join(connection);
      });
    });
    for (const name of ['ann', 'bob']) await app.service('users').create(credentials(`${name}@example.com`));
    const socket = await connect(url);
    const first = call(socket, 'create', 'authentication', credentials('ann@example.com'), {});
    const second = await call(socket, 'create', 'authentication', credentials(later), {});
    release();
    return { app, socket, first: await first, second };
  }

  it('is refused where that is of somebody else, whom the client takes itself for', async () => {
    const { app, socket, first, second } = await both('bob@example.com');
    expect(second.error).toBeNull();
    expect(first.error).toMatchObject({
      code: 409,
      message: 'Somebody else was logged in over the connection while this login was on its way. Log in again',
    });
    expect((await call(socket, 'find', 'who', {})).result).toEqual({ email: 'bob@example.com' });
    expect(app.channels).toEqual(['bob@example.com']);
    expect((await call(socket, 'create', 'authentication', credentials('ann@example.com'), {})).error).toBeNull();
    expect((await call(socket, 'find', 'who', {})).result).toEqual({ email: 'ann@example.com' });
    expect(app.channels).toEqual(['ann@example.com']);
  });

  it('of the same user is answered', async () => {
    const { app, socket, first, second } = await both('ann@example.com');
    expect([first.error, second.error]).toEqual([null, null]);
    expect((await call(socket, 'find', 'who', {})).result).toEqual({ email: 'ann@example.com' });
    expect(app.channels).toEqual(['ann@example.com']);
  });
});

import { hashPassword } from '@framework/authentication-local';
import { afterEach, expect, it } from '@jest/globals';
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

import { authenticate } from '@framework/authentication';
import { hashPassword } from '@framework/authentication-local';
import { NotAuthenticated } from '@framework/errors';
import { afterEach, expect, it } from '@jest/globals';
import { addAuthentication, call, connect, memory, start, stopAll, type AnyApplication } from './harness.ts';

afterEach(stopAll);

const credentials = { strategy: 'local', email: 'ann@example.com', password: 'the right password' };

/** Lets nobody in whose address is not verified. */
const onlyVerified = async (context: any, next: () => Promise<void>): Promise<void> => {
  await next();
  if (context.path === 'authentication' && !context.result.user.verified) throw new NotAuthenticated('Verify your address first');
};

it.each([
  ['of the service', (app: AnyApplication) => app.service('authentication').hooks({ around: { create: [onlyVerified] } })],
  ['of the application', (app: AnyApplication) => app.hooks({ around: { create: [onlyVerified] } })],
])('a login that an around hook %s refuses once it was made logs no connection in', async (_whose, addHook) => {
  const { app, url } = await start((made) => {
    made.use('users', memory({ startId: 1 }));
    made.service('users').hooks({ before: { create: [hashPassword('password')] } });
    addAuthentication(made);
    made.use('notes', memory());
    made.service('notes').hooks({ around: { find: [authenticate('jwt')] } });
    made.on('login', (_result: unknown, { connection }: { connection?: object }) => {
      if (connection) made.channel('users').join(connection);
    });
    addHook(made);
  });
  await app.service('users').create(credentials);
  const socket = await connect(url);
  const login = await call(socket, 'create', 'authentication', credentials, {});
  expect(login.error).toMatchObject({ code: 401, message: 'Verify your address first' });
  expect((await call(socket, 'find', 'notes', {})).error).toMatchObject({ code: 401 });
  expect(app.channel('users').length).toBe(0);
});

import { hashPassword } from '@framework/authentication-local';
import { afterEach, expect, it } from '@jest/globals';
import { Manager } from 'socket.io-client';
import { addAuthentication, connect, memory, start, stopAll, until, type AnyApplication, type Running } from './harness.ts';

afterEach(stopAll);

/** An application, and which of its events told of a connection, by the header `x-name`. */
async function startTold(
  build: (app: AnyApplication) => void = () => undefined,
): Promise<Running & { told: string[]; accessToken: string }> {
  const told: string[] = [];
  const { app, url } = await start((made) => {
    made.use('users', memory({ startId: 1 }));
    made.service('users').hooks({ before: { create: [hashPassword('password')] } });
    addAuthentication(made);
    for (const event of ['connection', 'disconnect']) made.on(event, ({ headers }: any) => told.push(`${event} ${headers['x-name']}`));
    made.on('login', (_result: unknown, { connection }: any) => told.push(`login ${connection.headers['x-name']}`));
    build(made);
  });
  const { id } = await app.service('users').create({ email: 'ann@example.com', password: 'the right password' });
  return { app, url, told, accessToken: await app.service('authentication').createAccessToken({}, { subject: String(id) }) };
}

/** What the application was told, once a connection that is taken in has come and gone behind those of before. */
async function toldBehind(url: string, told: readonly string[]): Promise<readonly string[]> {
  const last = await connect(url, { extraHeaders: { 'x-name': 'last' } });
  last.disconnect();
  await until(() => told.includes('disconnect last'));
  return told.filter((each) => !each.endsWith('last'));
}

it('the application is told no end of a connection that its credentials have kept out', async () => {
  const { url, told } = await startTold();
  const extraHeaders = { 'x-name': 'ann', authorization: 'Bearer of.no.token' };
  await expect(connect(url, { extraHeaders })).rejects.toMatchObject({ data: { code: 401 } });
  expect(await toldBehind(url, told)).toEqual([]);
});

/** Middleware of an application that lets `last` in alone. */
function refuseOthers(app: AnyApplication): void {
  app.use('middleware', {
    find: async () => [],
    setup: async () =>
      void app.io.use((socket: any, next: (error?: Error) => void) => {
        app.channel('waiting').join(socket.framework);
        next(socket.framework.headers['x-name'] === 'last' ? undefined : new Error('Nobody else'));
      }),
  } as never);
}

it('the application is told no end of a connection that its middleware has kept out, and it leaves the channels it has joined', async () => {
  const { app, url, told } = await startTold(refuseOthers);
  await expect(connect(url, { extraHeaders: { 'x-name': 'ann' } })).rejects.toThrow('Nobody else');
  expect(await toldBehind(url, told)).toEqual([]);
  expect(app.channels).toEqual([]);
});

it('the application is told the end of a connection that was logged in before its middleware has kept it out', async () => {
  const { url, told, accessToken } = await startTold(refuseOthers);
  const extraHeaders = { 'x-name': 'ann', authorization: `Bearer ${accessToken}` };
  await expect(connect(url, { extraHeaders })).rejects.toThrow('Nobody else');
  expect(await toldBehind(url, told)).toEqual(['login ann', 'disconnect ann']);
});

it('the application is told the end behind the login of a client that has gone in the middle of it', async () => {
  let goOn: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const isWaiting = new Promise<void>((resolve) => (begun = resolve));
  const { app, url, told, accessToken } = await startTold((made) => {
    made.service('authentication').hooks({
      before: {
        create: [
          async () => {
            begun();
            await new Promise<void>((resolve) => (goOn = resolve));
          },
        ],
      },
    });
  });
  const extraHeaders = { 'x-name': 'ann', authorization: `Bearer ${accessToken}` };
  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, extraHeaders });
  await new Promise((resolve) => manager.once('open', resolve as never));
  manager.engine.write('0');
  await isWaiting;
  manager.engine.close();
  await until(() => app.io.engine.clientsCount === 0);
  expect(told).toEqual([]);
  goOn();
  await until(() => told.length > 1);
  expect(await toldBehind(url, told)).toEqual(['login ann', 'disconnect ann']);
});

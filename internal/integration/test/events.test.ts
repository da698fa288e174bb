import { Forbidden } from '@framework/errors';
import { expect, it } from '@jest/globals';
import { send, sendJson } from './harness.ts';
import { ANN, bearer, logIn, startServer, useAnnsServer } from './session-server.ts';

const anns = useAnnsServer();

it('S45 authz-denied is told for every 403 and 401 of a call from outside, once, with the id of the request', async () => {
  const denied: unknown[] = [];
  anns.server.app.on('authz-denied', (event: unknown) => denied.push(event));
  anns.server.app.service('echo').hooks({
    before: {
      get: [
        () => {
          throw new Forbidden('Not yours');
        },
      ],
    },
  });
  const { accessToken } = await logIn(anns.server);
  const answer = await send(anns.server.url, '/echo/1', { headers: { ...bearer(accessToken), 'x-request-id': 'abc-1' } });
  expect(answer.status).toBe(403);
  await send(anns.server.url, '/echo', { headers: { 'x-request-id': 'two\tparts' } });
  await anns.server.app
    .service('echo')
    .get(1)
    .catch(() => undefined);
  expect(denied).toEqual([
    { path: 'echo', method: 'get', provider: 'rest', error: 'Forbidden', requestId: 'abc-1' },
    { path: 'echo', method: 'find', provider: 'rest', error: 'NotAuthenticated' },
  ]);
});

it('S45 listeners that throw or reject change nothing', async () => {
  const own = await startServer(anns.database.db, true, { limiter: { account: { attempts: 2, window: '15m' } } });
  const seen: string[] = [];
  for (const name of ['login', 'logout', 'login-failed', 'lockout', 'authz-denied', 'refresh-reuse']) {
    own.app.on(name, () => {
      throw new Error('a listener');
    });
    own.app.on(name, (async () => {
      throw new Error('a listener later');
    }) as () => void);
    own.app.on(name, () => seen.push(name));
  }
  const wrong = { ...ANN, email: 'nobody@example.com' };
  const statuses: number[] = [];
  for (let round = 0; round < 3; round++) statuses.push((await sendJson(own.url, 'POST', '/authentication', wrong)).status);
  expect(statuses).toEqual([401, 401, 429]);
  const first = await logIn(own);
  const again = { strategy: 'refresh', refreshToken: first.refreshToken };
  expect((await sendJson(own.url, 'POST', '/authentication', again)).status).toBe(201);
  expect((await sendJson(own.url, 'POST', '/authentication', again)).status).toBe(401);
  const second = await logIn(own);
  expect((await send(own.url, '/echo')).status).toBe(401);
  expect((await send(own.url, '/authentication', { method: 'DELETE', headers: bearer(second.accessToken) })).status).toBe(200);
  expect(new Set(seen)).toEqual(new Set(['login', 'logout', 'login-failed', 'lockout', 'authz-denied', 'refresh-reuse']));
  await own.stop();
});

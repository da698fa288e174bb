import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { send, sendJson, type Running } from './harness.ts';
import { ANN, authenticationOf, bearer, logIn, PASSWORD, refresh, SECRET, startServer, type Tokens } from './session-server.ts';

let database: TestDatabase;
let server: Running;
let user: string;
beforeAll(async () => {
  database = await startDatabase();
  server = await startServer(database.db);
  // The same id in both services: the worst case.
  const _id = new ObjectId();
  user = String(_id);
  for (const path of ['users', 'admins']) await server.app.service(path).create({ _id, email: ANN.email, password: PASSWORD });
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

const ADMIN = '/admin-authentication';
const status = async (path: string, token: string): Promise<number> => (await send(server.url, path, { headers: bearer(token) })).status;

describe('a session belongs to one authentication service', () => {
  it('S20 its refresh token is worth nothing at another one, and loses nothing by that', async () => {
    const events: unknown[] = [];
    server.app.on('refresh-reuse', (event: unknown) => events.push(event));
    for (const [own, other, page] of [
      ['/authentication', ADMIN, '/echo'],
      [ADMIN, '/authentication', '/admin-echo'],
    ] as const) {
      const tokens = await logIn(server, own);
      expect(await refresh(server, tokens.refreshToken, other)).toMatchObject({ status: 401, body: { message: 'Invalid refresh token' } });
      expect(await status(page, tokens.accessToken)).toBe(200);
      const next = await refresh(server, tokens.refreshToken, own);
      expect(next.status).toBe(201);
      expect((await refresh(server, tokens.refreshToken, other)).status).toBe(401);
      expect((await refresh(server, (next.body as Tokens).refreshToken, own)).status).toBe(201);
    }
    expect(events).toEqual([]);
  });

  it('S19 its access token is worth nothing at another one, even with the same secret', async () => {
    const admin = authenticationOf(server, 'admin-authentication');
    const { sid } = (await authenticationOf(server).verifyAccessToken((await logIn(server)).accessToken)) as { sid: string };
    const forged = await admin.createAccessToken({ sid }, { subject: user });
    expect(await status('/admin-echo', forged)).toBe(401);
    expect(await status('/admin-echo', (await logIn(server)).accessToken)).toBe(401);
  });

  it('S21 nothing of one service ends sessions of another', async () => {
    const [customer, admin] = [await logIn(server), await logIn(server, ADMIN)];
    await authenticationOf(server).sessions!.endAll(user);
    expect([await status('/echo', customer.accessToken), await status('/admin-echo', admin.accessToken)]).toEqual([401, 200]);
    const body = JSON.stringify({ refreshToken: admin.refreshToken });
    const logout = await send(server.url, '/authentication', { method: 'DELETE', headers: { 'content-type': 'application/json' }, body });
    expect(logout.status).toBe(401);
    const { sid } = (await authenticationOf(server, 'admin-authentication').verifyAccessToken(admin.accessToken)) as { sid: string };
    await authenticationOf(server).sessions!.end(sid);
    expect((await refresh(server, admin.refreshToken, ADMIN)).status).toBe(201);
  });

  it('is listed at its own service alone', async () => {
    await authenticationOf(server).sessions!.endAll(user);
    await authenticationOf(server, 'admin-authentication').sessions!.endAll(user);
    const customer = await logIn(server);
    const list = await send(server.url, '/authentication/sessions', { headers: bearer(customer.accessToken) });
    await logIn(server, ADMIN);
    expect(list.body).toHaveLength(1);
  });

  it('is worth nothing at a service without an entity, whatever id it names', async () => {
    const app = server.app;
    const open = { entity: null, authStrategies: ['jwt'], secret: SECRET, sessions: true };
    const service = new AuthenticationService(app, 'open-authentication', open);
    service.register('jwt', new JWTStrategy());
    app.use('open-authentication', service);
    const tokens = await logIn(server);
    expect((await refresh(server, tokens.refreshToken, '/open-authentication')).status).toBe(401);
    const login = { strategy: 'jwt', accessToken: tokens.accessToken };
    expect((await sendJson(server.url, 'POST', '/open-authentication', login)).status).toBe(401);
    expect((await refresh(server, tokens.refreshToken)).status).toBe(201);
  });

  it.each(['service', 'audience', 'entity'] as const)('is refused when its %s is another', async (name) => {
    const tokens = await logIn(server);
    const [id] = tokens.refreshToken.split('.') as [string];
    await database.db.collection<{ _id: string }>('sessions').updateOne({ _id: id }, { $set: { [name]: 'another' } });
    expect((await refresh(server, tokens.refreshToken)).status).toBe(401);
    const late = await startServer(database.db);
    expect((await send(late.url, '/echo', { headers: bearer(tokens.accessToken) })).status).toBe(401);
    await late.stop();
  });
});

it('sessions of before are refused with a message that names the migration', async () => {
  const tokens = await logIn(server);
  const [id] = tokens.refreshToken.split('.') as [string];
  const change = { $unset: { service: 1, audience: 1, entity: 1, epoch: 1 }, $set: { authenticatedAt: Date.now() } } as const;
  await database.db.collection<{ _id: string }>('sessions').updateOne({ _id: id }, change);
  const late = await startServer(database.db);
  for (const answer of [
    await sendJson(late.url, 'POST', '/authentication', { strategy: 'refresh', refreshToken: tokens.refreshToken }),
    await send(late.url, '/echo', { headers: bearer(tokens.accessToken) }),
  ]) {
    expect(answer).toMatchObject({ status: 401, body: { data: { migration: 'sessions-belong-to-a-service' } } });
    expect(answer.body.message).toContain("migration 'sessions-belong-to-a-service'");
  }
  await late.stop();
});

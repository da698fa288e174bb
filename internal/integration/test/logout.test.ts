import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, sendJson, type Answer, type Running } from './harness.ts';
import { ANN, authenticationOf, bearer, logIn, PASSWORD, refresh, startServer } from './session-server.ts';

let database: TestDatabase;
let server: Running;
beforeAll(async () => {
  database = await startDatabase();
  server = await startServer(database.db);
  await server.app.service('users').create({ email: ANN.email, password: PASSWORD });
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

const logOut = (at: Running, headers: Record<string, string>, body?: object): Promise<Answer> =>
  send(at.url, '/authentication', {
    method: 'DELETE',
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const statusOf = async (at: Running, token: string): Promise<number> => (await send(at.url, '/echo', { headers: bearer(token) })).status;

describe('S19 logging out', () => {
  it('works with an access token that has ended by itself', async () => {
    const { sub, sid } = await authenticationOf(server).verifyAccessToken((await logIn(server)).accessToken);
    const iat = Math.floor(Date.now() / 1000) - 3600;
    const ended = await authenticationOf(server).createAccessToken({ sid, iat }, { subject: String(sub), expiresIn: 60 });
    expect(await statusOf(server, ended)).toBe(401);
    expect(await logOut(server, bearer(ended))).toMatchObject({ status: 200, body: { accessToken: ended } });
    expect(
      await authenticationOf(server)
        .sessions!.check(sid, sub)
        .catch((error: unknown) => (error as { code: number }).code),
    ).toBe(401);
    expect((await logOut(server, bearer(ended))).status).toBe(401);
    const forged = `${ended.slice(0, -4)}AAAA`;
    expect((await logOut(server, bearer(forged))).status).toBe(401);
  });

  it('works with the refresh token alone, also with one that was replaced', async () => {
    const tokens = await logIn(server);
    expect(await logOut(server, {}, { refreshToken: tokens.refreshToken })).toMatchObject({ status: 200 });
    expect(await statusOf(server, tokens.accessToken)).toBe(401);
    expect((await refresh(server, tokens.refreshToken)).status).toBe(401);
    const other = await logIn(server);
    await refresh(server, other.refreshToken);
    expect((await logOut(server, {}, { refreshToken: other.refreshToken })).status).toBe(200);
    expect(await statusOf(server, other.accessToken)).toBe(401);
  });

  it('works so at every authentication service', async () => {
    await server.app.service('admins').create({ email: ANN.email, password: PASSWORD });
    const tokens = await logIn(server, '/admin-authentication');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ refreshToken: tokens.refreshToken });
    expect((await send(server.url, '/admin-authentication', { method: 'DELETE', headers, body })).status).toBe(200);
    expect((await refresh(server, tokens.refreshToken, '/admin-authentication')).status).toBe(401);
  });

  it('S5 refuses refresh tokens of any other shape, and a refresh token is worth nothing elsewhere', async () => {
    const { accessToken, refreshToken } = await logIn(server);
    for (const bad of [{ $ne: null }, ['x'], 5, null, '', 'x', `${refreshToken.slice(0, -3)}AAA`]) {
      expect((await logOut(server, {}, { refreshToken: bad })).status).toBe(401);
    }
    const headers = { 'content-type': 'application/json' };
    const elsewhere = await send(server.url, '/echo/1', { method: 'DELETE', headers, body: JSON.stringify({ refreshToken }) });
    expect(elsewhere.status).toBe(401);
    expect(await statusOf(server, accessToken)).toBe(200);
  });
});

describe('S19 logging out without sessions', () => {
  it('ends the token in the process, by default', async () => {
    const memory = await startServer(database.db, false);
    const { accessToken } = await logIn(memory);
    const other = await logIn(memory);
    expect((await logOut(memory, bearer(accessToken))).status).toBe(200);
    expect([await statusOf(memory, accessToken), await statusOf(memory, other.accessToken)]).toEqual([401, 200]);
    expect((await sendJson(memory.url, 'POST', '/authentication', { strategy: 'jwt', accessToken })).status).toBe(401);
    await memory.stop();
  });

  it('ends it in every process within a second, with a store', async () => {
    const [a, b] = [
      await startServer(database.db, false, { revocation: 'store' }),
      await startServer(database.db, false, { revocation: 'store' }),
    ];
    const { accessToken } = await logIn(a);
    for (const at of [a, b]) expect(await statusOf(at, accessToken)).toBe(200);
    expect((await logOut(a, bearer(accessToken))).status).toBe(200);
    expect(await statusOf(a, accessToken)).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await statusOf(b, accessToken)).toBe(401);
    const late = await startServer(database.db, false, { revocation: 'store' });
    expect(await statusOf(late, accessToken)).toBe(401);
    expect((await send(a.url, '/sessions', { headers: bearer((await logIn(a)).accessToken) })).status).toBe(405);
    for (const at of [a, b, late]) await at.stop();
  });

  it('is refused at start for a store that is not there, and for other values', async () => {
    await expect(startServer(database.db, false, { revocation: { service: 'nowhere' } })).rejects.toThrow(
      "no service 'nowhere' stores them",
    );
    await expect(startServer(database.db, false, { revocation: 'disk' as never })).rejects.toThrow("'authentication.revocation' must be");
  });
});

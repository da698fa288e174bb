import { describe, expect, it } from '@jest/globals';
import { send, sendJson, type Answer, type Running } from './harness.ts';
import { ANN, authenticationOf, bearer, logIn, PASSWORD, refresh, startServer, useAnnsServer } from './session-server.ts';

const anns = useAnnsServer();

const logOut = (at: Running, headers: Record<string, string>, body?: object): Promise<Answer> =>
  send(at.url, '/authentication', {
    method: 'DELETE',
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const statusOf = async (at: Running, token: string): Promise<number> => (await send(at.url, '/echo', { headers: bearer(token) })).status;

describe('S19 logging out', () => {
  it('works with an access token that has ended by itself', async () => {
    const { sub, sid } = await authenticationOf(anns.server).verifyAccessToken((await logIn(anns.server)).accessToken);
    const iat = Math.floor(Date.now() / 1000) - 3600;
    const ended = await authenticationOf(anns.server).createAccessToken({ sid, iat }, { subject: String(sub), expiresIn: 60 });
    expect(await statusOf(anns.server, ended)).toBe(401);
    expect(await logOut(anns.server, bearer(ended))).toMatchObject({ status: 200, body: { accessToken: ended } });
    expect(
      await authenticationOf(anns.server)
        .sessions!.check(sid, sub)
        .catch((error: unknown) => (error as { code: number }).code),
    ).toBe(401);
    expect((await logOut(anns.server, bearer(ended))).status).toBe(401);
    const forged = `${ended.slice(0, -4)}AAAA`;
    expect((await logOut(anns.server, bearer(forged))).status).toBe(401);
  });

  it('works with the refresh token alone, also with one that was replaced', async () => {
    const tokens = await logIn(anns.server);
    expect(await logOut(anns.server, {}, { refreshToken: tokens.refreshToken })).toMatchObject({ status: 200 });
    expect(await statusOf(anns.server, tokens.accessToken)).toBe(401);
    expect((await refresh(anns.server, tokens.refreshToken)).status).toBe(401);
    const other = await logIn(anns.server);
    await refresh(anns.server, other.refreshToken);
    expect((await logOut(anns.server, {}, { refreshToken: other.refreshToken })).status).toBe(200);
    expect(await statusOf(anns.server, other.accessToken)).toBe(401);
  });

  it('works so at every authentication service', async () => {
    await anns.server.app.service('admins').create({ email: ANN.email, password: PASSWORD });
    const tokens = await logIn(anns.server, '/admin-authentication');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ refreshToken: tokens.refreshToken });
    expect((await send(anns.server.url, '/admin-authentication', { method: 'DELETE', headers, body })).status).toBe(200);
    expect((await refresh(anns.server, tokens.refreshToken, '/admin-authentication')).status).toBe(401);
  });

  it('S5 refuses refresh tokens of any other shape, and a refresh token is worth nothing elsewhere', async () => {
    const { accessToken, refreshToken } = await logIn(anns.server);
    for (const bad of [{ $ne: null }, ['x'], 5, null, '', 'x', `${refreshToken.slice(0, -3)}AAA`]) {
      expect((await logOut(anns.server, {}, { refreshToken: bad })).status).toBe(401);
    }
    const headers = { 'content-type': 'application/json' };
    const elsewhere = await send(anns.server.url, '/echo/1', { method: 'DELETE', headers, body: JSON.stringify({ refreshToken }) });
    expect(elsewhere.status).toBe(401);
    expect(await statusOf(anns.server, accessToken)).toBe(200);
  });
});

describe('S19 logging out without sessions', () => {
  it('ends the token in the process, by default', async () => {
    const memory = await startServer(anns.database.db, false);
    const { accessToken } = await logIn(memory);
    const other = await logIn(memory);
    expect((await logOut(memory, bearer(accessToken))).status).toBe(200);
    expect([await statusOf(memory, accessToken), await statusOf(memory, other.accessToken)]).toEqual([401, 200]);
    expect((await sendJson(memory.url, 'POST', '/authentication', { strategy: 'jwt', accessToken })).status).toBe(401);
    await memory.stop();
  });

  it('ends it in every process within a second, with a store', async () => {
    const [a, b] = [
      await startServer(anns.database.db, false, { revocation: 'store' }),
      await startServer(anns.database.db, false, { revocation: 'store' }),
    ];
    const { accessToken } = await logIn(a);
    for (const at of [a, b]) expect(await statusOf(at, accessToken)).toBe(200);
    expect((await logOut(a, bearer(accessToken))).status).toBe(200);
    expect(await statusOf(a, accessToken)).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await statusOf(b, accessToken)).toBe(401);
    const late = await startServer(anns.database.db, false, { revocation: 'store' });
    expect(await statusOf(late, accessToken)).toBe(401);
    expect((await send(a.url, '/sessions', { headers: bearer((await logIn(a)).accessToken) })).status).toBe(405);
    for (const at of [a, b, late]) await at.stop();
  });

  it('is refused at start for a store that is not there, and for other values', async () => {
    await expect(startServer(anns.database.db, false, { revocation: { service: 'nowhere' } })).rejects.toThrow(
      "no service 'nowhere' stores them",
    );
    await expect(startServer(anns.database.db, false, { revocation: 'disk' as never })).rejects.toThrow(
      "'authentication.revocation' must be",
    );
  });
});

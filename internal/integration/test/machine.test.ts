import { describe, expect, it } from '@jest/globals';
import { send, sendJson, type Answer } from './harness.ts';
import { ANN, authenticationOf, bearer, logIn, PASSWORD, startServer, useAnnsServer, type AnnsServer } from './session-server.ts';

const anns = useAnnsServer();

const keyed = (key: string): Record<string, string> => ({ 'x-api-key': key });
const call = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> =>
  send(anns.server.url, path, { method, headers });

describe('machine tokens', () => {
  it('act for an entity within their scopes, are listed and can be ended', async () => {
    const service = authenticationOf(anns.server);
    const { id, accessToken } = await service.createToken({ entity: anns.user, scopes: ['echo:find'], expiresIn: '1h', name: 'nightly' });
    expect(await call('/echo', bearer(accessToken))).toMatchObject({ status: 200, body: { user: { email: ANN.email } } });
    expect(await call('/echo/1', bearer(accessToken))).toMatchObject({ status: 403, body: { data: { name: 'insufficient_scope' } } });
    expect((await call('/authentication/sessions', bearer(accessToken))).status).toBe(403);
    // A page is no service method.
    expect((await call('/page', bearer(accessToken))).status).toBe(403);
    const own = await logIn(anns.server);
    const list = (await call('/authentication/sessions', bearer(own.accessToken))).body as { id: string }[];
    expect(list.find((one) => one.id === id)).toMatchObject({ kind: 'token', name: 'nightly', scopes: ['echo:find'], current: false });
    expect((await call(`/authentication/sessions/${String(id)}`, bearer(own.accessToken), 'DELETE')).status).toBe(200);
    expect((await call('/echo', bearer(accessToken))).status).toBe(401);
  });

  it('end with everything else of their entity, and by their time', async () => {
    const service = authenticationOf(anns.server);
    const { accessToken } = await service.createToken({ entity: anns.user._id, scopes: ['*'] });
    expect((await call('/page', bearer(accessToken))).status).toBe(200);
    await service.sessions!.endAll(String(anns.user._id));
    expect((await call('/echo', bearer(accessToken))).status).toBe(401);
    const short = await service.createToken({ entity: anns.user._id, expiresIn: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect((await call('/echo', bearer(short.accessToken))).status).toBe(401);
  });

  it.each(['a token', 'a key'])('S19 %s ends with a changed password of its entity, a disabled one and a removed one', async (what) => {
    const service = authenticationOf(anns.server);
    const users = anns.server.app.service('users');
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => users.patch(id, { password: 'another password' }),
      (id) => users.patch(id, { disabled: true }),
      (id) => users.remove(id),
      (id) => service.sessions!.endAll(id),
    ];
    for (const end of ends) {
      const { _id } = (await users.create({ email: `machine ${what} ${ends.indexOf(end)}`, password: PASSWORD })) as AnnsServer['user'];
      const headers =
        what === 'a key'
          ? keyed((await service.createApiKey({ entity: _id })).key)
          : bearer((await service.createToken({ entity: _id })).accessToken);
      expect((await call('/echo', headers)).status).toBe(200);
      await end(String(_id));
      expect((await call('/echo', headers)).status).toBe(401);
    }
  });

  it('S22 S45 are under limiter and events as logins are', async () => {
    const limited = await startServer(anns.database.db, true, { limiter: { address: { attempts: 2, window: '15m' } } });
    const events: unknown[][] = [];
    for (const name of ['login', 'logout', 'login-failed', 'lockout', 'authz-denied'])
      limited.app.on(name, (event: { user?: { email?: string }; requestId?: string }) =>
        events.push([name, event.user?.email ?? event.requestId]),
      );
    const { accessToken } = await authenticationOf(limited).createToken({
      entity: anns.user,
      scopes: ['authentication:create', 'echo:find'],
    });
    const post = async (token: string): Promise<number> =>
      (await sendJson(limited.url, 'POST', '/authentication', { strategy: 'jwt', accessToken: token }, { 'x-request-id': 'r' })).status;
    expect(await post(accessToken)).toBe(201);
    const forged = `${accessToken.slice(0, -4)}AAAA`;
    expect([await post(forged), await post(forged), await post(forged)]).toEqual([401, 401, 429]);
    const headers = { ...bearer(accessToken), 'x-request-id': 'r' };
    expect((await send(limited.url, '/echo/1', { headers })).status).toBe(403);
    expect((await send(limited.url, '/authentication', { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(limited.url, '/echo', { headers })).status).toBe(401);
    expect(events).toEqual([
      ['login', ANN.email],
      ['login-failed', 'r'],
      ['login-failed', 'r'],
      ['login-failed', 'r'],
      ['lockout', 'r'],
      ['authz-denied', 'r'],
      ['logout', ANN.email],
      ['authz-denied', 'r'],
    ]);
    await limited.stop();
  });

  it('S21 with scopes give no login, and whoever holds one may end it', async () => {
    const service = authenticationOf(anns.server);
    const { accessToken } = await service.createToken({ entity: anns.user, scopes: ['echo:find'] });
    const login = await sendJson(anns.server.url, 'POST', '/authentication', { strategy: 'jwt', accessToken });
    expect([login.status, login.text.includes(ANN.email)]).toEqual([403, false]);
    expect((await call('/echo', bearer(accessToken))).status).toBe(200);
    expect((await call('/authentication', bearer(accessToken), 'DELETE')).status).toBe(200);
    expect((await call('/echo', bearer(accessToken))).status).toBe(401);
    const all = await service.createToken({ entity: anns.user, scopes: ['authentication:create'] });
    const allowed = await sendJson(anns.server.url, 'POST', '/authentication', { strategy: 'jwt', accessToken: all.accessToken });
    expect(allowed.status).toBe(201);
  });

  it('that can not be signed leave nothing in the store', async () => {
    const service = authenticationOf(anns.server);
    const before = await anns.database.db.collection('sessions').countDocuments({ kind: 'token' });
    const signing = anns.server.app.get('authentication') as { jwtOptions?: object };
    anns.server.app.set('authentication', { ...signing, jwtOptions: { ...signing.jwtOptions, algorithm: 'RS256' } });
    await expect(service.createToken({ entity: anns.user })).rejects.toThrow('RS256');
    anns.server.app.set('authentication', signing);
    expect(await anns.database.db.collection('sessions').countDocuments({ kind: 'token' })).toBe(before);
  });

  it('work without sessions, and are then ended by logging out', async () => {
    const plain = await startServer(anns.database.db, false);
    const { id, accessToken } = await authenticationOf(plain).createToken({ entity: anns.user._id, scopes: ['echo:*'] });
    expect(id).toBeUndefined();
    const headers = bearer(accessToken);
    expect((await send(plain.url, '/echo/1', { headers })).status).toBe(200);
    expect((await send(plain.url, '/page', { headers })).status).toBe(403);
    expect((await send(plain.url, '/authentication', { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(plain.url, '/echo/1', { headers })).status).toBe(401);
    await plain.stop();
  });

  it.each([
    [{}],
    [{ scopes: ['all of it'] }],
    [{ scopes: [] }],
    [{ scopes: 'echo:find' }],
    [{ name: '' }],
    [{ expiresIn: 0 }],
    [{ expiresIn: 'soon' }],
  ])('are refused with %j', async (options) => {
    const entity = Object.keys(options).length === 0 ? {} : { entity: anns.user._id };
    await expect(authenticationOf(anns.server).createToken({ ...entity, ...(options as object) })).rejects.toMatchObject({ code: 400 });
  });
});

describe('API keys', () => {
  it('authenticate calls by a header, within their scopes; only a digest is stored', async () => {
    const { id, key } = await authenticationOf(anns.server).createApiKey({ entity: anns.user._id, scopes: ['echo:find'], name: 'robot' });
    expect(key).toMatch(/^key_[\w-]{22}_[\w-]{43}$/);
    const answer = await call('/echo', keyed(key));
    expect(answer).toMatchObject({ status: 200, body: { user: { email: ANN.email }, authentication: { strategy: 'api-key' } } });
    expect(answer.text).not.toContain(key);
    expect((await call('/echo/1', keyed(key))).status).toBe(403);
    const stored = JSON.stringify(await anns.database.db.collection('sessions').find().toArray());
    expect([stored.includes(id), stored.includes(key.slice(-43))]).toEqual([true, false]);
    await authenticationOf(anns.server).sessions!.end(id);
    expect((await call('/echo', keyed(key))).status).toBe(401);
  });

  it('are listed with their last use, and belong to one service', async () => {
    const { id, key } = await authenticationOf(anns.server).createApiKey({ entity: anns.user._id, name: 'listed', scopes: ['echo:*'] });
    await anns.database.db.collection<{ _id: string }>('sessions').updateOne({ _id: id }, { $set: { usedAt: 0 } });
    expect((await call('/admin-echo', keyed(key))).status).toBe(401);
    expect((await call('/echo', keyed(key))).status).toBe(200);
    const own = await logIn(anns.server);
    const listed = async (): Promise<{ id: string; usedAt: string } | undefined> =>
      ((await call('/authentication/sessions', bearer(own.accessToken))).body as { id: string; usedAt: string }[]).find(
        (one) => one.id === id,
      );
    let found = await listed();
    for (let tries = 0; tries < 100 && !((found?.usedAt ?? '') > '2000'); tries++) found = await listed();
    expect(found).toMatchObject({ kind: 'key', name: 'listed', scopes: ['echo:*'], expiresAt: null, current: false });
    expect(found!.usedAt > '2020').toBe(true);
    for (const path of ['/echo', '/echo/1']) expect((await call(path, keyed(key))).status).toBe(200);
    expect((await call(`/authentication/sessions/${id}`, bearer(own.accessToken), 'DELETE')).status).toBe(200);
    expect((await call('/echo', keyed(key))).status).toBe(401);
  });

  it('end by their time, where they have one', async () => {
    const { id, key } = await authenticationOf(anns.server).createApiKey({ entity: anns.user._id, expiresIn: '1h' });
    const sessions = anns.database.db.collection<{ _id: string; expiresAt: number }>('sessions');
    expect((await call('/echo', keyed(key))).status).toBe(200);
    await sessions.updateOne({ _id: id }, { $set: { expiresAt: 1 } });
    const late = await startServer(anns.database.db);
    expect((await send(late.url, '/echo', { headers: keyed(key) })).status).toBe(401);
    await late.stop();
  });

  it('have the prefix and the header of the configuration', async () => {
    const own = await startServer(anns.database.db, true, { 'api-key': { prefix: 'shop', header: 'X-Shop-Key' } });
    const { key } = await authenticationOf(own).createApiKey({ entity: anns.user._id });
    expect(key).toMatch(/^shop_[\w-]{22}_[\w-]{43}$/);
    const ask = async (headers: Record<string, string>): Promise<number> => (await send(own.url, '/echo', { headers })).status;
    expect([await ask({ 'x-shop-key': key }), await ask(keyed(key))]).toEqual([200, 401]);
    expect((await call('/echo', keyed(key))).status).toBe(401);
    await own.stop();
    await expect(startServer(anns.database.db, true, { 'api-key': { prefix: 'a b' } })).rejects.toThrow("'authentication.api-key.prefix'");
    await expect(startServer(anns.database.db, true, { 'api-key': { query: 'key' } })).rejects.toThrow(
      "'authentication.api-key' has no option 'query'",
    );
  });

  it('S5 S45 of any other shape are 401, are told as failed logins, and count for the address', async () => {
    const limited = await startServer(anns.database.db, true, { limiter: { address: { attempts: 3, window: '15m' } } });
    const { key } = await authenticationOf(limited).createApiKey({ entity: anns.user._id });
    const failed: unknown[] = [];
    limited.app.on('login-failed', (event: unknown) => failed.push(event));
    const statuses: number[] = [];
    for (const bad of [`${key.slice(0, -3)}AAA`, 'key_x_y', 'x'.repeat(500), key.replace('key', 'other')]) {
      statuses.push((await send(limited.url, '/echo', { headers: { ...keyed(bad), 'x-request-id': 'r-1' } })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(failed).toHaveLength(4);
    expect(failed[0]).toEqual({ strategy: 'api-key', account: '', address: expect.any(String), requestId: 'r-1' });
    // A key that is right is not guessed.
    expect((await send(limited.url, '/echo', { headers: keyed(key) })).status).toBe(200);
    await limited.stop();
  });

  it('give no access token', async () => {
    const { key } = await authenticationOf(anns.server).createApiKey({ entity: anns.user._id, scopes: ['echo:find'] });
    const answer = await sendJson(anns.server.url, 'POST', '/authentication', { strategy: 'api-key', apiKey: key });
    expect(answer.status).toBe(401);
  });

  it('of a disabled user are refused, and need sessions', async () => {
    const bob = (await anns.server.app.service('users').create({ email: 'bob@example.com', password: PASSWORD })) as AnnsServer['user'];
    const { key } = await authenticationOf(anns.server).createApiKey({ entity: bob._id });
    await anns.server.app.service('users').patch(bob._id as string, { disabled: true });
    expect((await call('/echo', keyed(key))).status).toBe(401);
    await expect(authenticationOf(anns.server).createApiKey({ entity: bob._id })).rejects.toMatchObject({ code: 401 });
    const plain = await startServer(anns.database.db, false);
    await expect(authenticationOf(plain).createApiKey({ entity: anns.user._id })).rejects.toThrow('API keys are stored with sessions');
    await plain.stop();
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp } from './start-app.«ext»';

describe('the application', () => {
%% if ts
  let app: Awaited<ReturnType<typeof startApp>>;
%% else
  /** @type {Awaited<ReturnType<typeof startApp>>} */
  let app;
%% end
  before(async () => {
    app = await startApp();
  });
  after(() => app.stop());

  it('tells that it is well', async () => {
    const { status, body } = await app.call('GET', '/health');
    assert.deepEqual([status, body], [200, { status: 'ok' }]);
  });

  it('describes itself', async () => {
    const { status, body } = await app.call('GET', '/openapi.json');
    assert.deepEqual([status, String(body.openapi).slice(0, 3)], [200, '3.1']);
  });

  it('answers 404 for what there is not', async () => {
    const { status, body } = await app.call('GET', '/nothing');
    assert.deepEqual([status, body.name], [404, 'NotFound']);
  });
%% if login

  it('shows no password, and everybody only themselves', async () => {
    const token = await app.login();
    await app.login('bob@example.com');
    const { body } = await app.call('GET', '/users', undefined, token);
    const [user, ...more] = ‹body.data as Record<string, unknown>[]¦body.data›;
    assert.deepEqual([user?.email, user && 'password' in user, more.length], ['ann@example.com', false, 0]);
  });

  it('refuses a wrong password, an address that is taken, and calls without a login', async () => {
    await app.login();
    const user = { email: 'Ann@example.com', password: 'not the password' };
    assert.equal((await app.call('POST', '/authentication', { strategy: 'local', ...user })).status, 401);
    assert.equal((await app.call('POST', '/users', user)).status, 409);
    assert.equal((await app.call('GET', '/users')).status, 401);
  });
%% end
});

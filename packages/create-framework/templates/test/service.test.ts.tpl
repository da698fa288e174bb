import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp } from './start-app.«ext»';

describe('«path»', () => {
%% if ts
  let app: Awaited<ReturnType<typeof startApp>>;
%% else
  /** @type {Awaited<ReturnType<typeof startApp>>} */
  let app;
%% end
%% if login
  let token = '';
%% end
  before(async () => {
    app = await startApp();
%% if login
    token = await app.login();
%% end
  });
  after(() => app.stop());

  it('creates, finds, changes and removes', async () => {
    const made = await app.call('POST', '/«path»', { text: 'Hello' }«token»);
    assert.deepEqual([made.status, made.body.text], [201, 'Hello']);
    const path = `/«path»/${String(made.body._id)}`;
    assert.equal((await app.call('PATCH', path, { text: 'Hello again' }«token»)).body.text, 'Hello again');
    assert.equal((await app.call('GET', '/«path»?text=Hello again'«noData»«token»)).body.total, 1);
    assert.equal((await app.call('DELETE', path«noData»«token»)).status, 200);
    assert.equal((await app.call('GET', path«noData»«token»)).status, 404);
  });

%% if listens
  it('tells those who listen what was created', { timeout: 60_000 }, async () => {
    const heard = await app.listen('«path» created'«token»);
    const made = await app.call('POST', '/«path»', { text: 'Heard' }«token»);
    assert.deepEqual(await heard(), made.body);
  });

%% end
  it('refuses what the schema does not describe', async () => {
    assert.equal((await app.call('POST', '/«path»', { text: '' }«token»)).status, 400);
    assert.equal((await app.call('POST', '/«path»', { text: 'Hello', createdAt: 'yesterday' }«token»)).status, 400);
  });
%% if login

  it('needs a login, and keeps what others have made', async () => {
    assert.equal((await app.call('GET', '/«path»')).status, 401);
    const made = await app.call('POST', '/«path»', { text: 'Mine' }, token);
    const other = await app.login('other@example.com');
    assert.equal((await app.call('DELETE', `/«path»/${String(made.body._id)}`, undefined, other)).status, 404);
  });
%% end
});

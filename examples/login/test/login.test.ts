import type { RequestListener } from 'node:http';
import { noteLeftOut } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { startChangeable, type ChangeableServer } from '@framework-internal/testing/oidc';
import type { Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeApp } from '../src/app.ts';
import { startProvider, type RunningProvider } from '../src/provider.ts';

if (CHROMIUM === undefined) noteLeftOut('left out: chromium is not installed (apt-get install chromium): the test of the example login');

let database: TestDatabase;
let server: ChangeableServer;
let provider: RunningProvider;
let app: Application;
let browser: Chromium;
let origin: string;
beforeAll(async () => {
  database = await startDatabase();
  server = await startChangeable();
  origin = `http://localhost:${server.port}`;
  provider = await startProvider(0, origin);
  app = makeApp(database.db, origin, provider);
  await app.setup();
  server.listener = app as unknown as RequestListener;
  if (CHROMIUM !== undefined) browser = await Chromium.start(CHROMIUM);
});
afterAll(async () => {
  if (CHROMIUM !== undefined) await browser.stop();
  await app.teardown();
  provider.stop();
  await server.stop();
  await database.close();
});

const click = (id: string): Promise<unknown> => browser.run(`document.getElementById('${id}').click()`);
const texts = (id: string): Promise<unknown> => browser.run(`[...document.querySelectorAll('#${id} li')].map((one) => one.textContent)`);
const isState = (state: string): Promise<void> =>
  browser.until(`location.origin === '${origin}' && document.body.dataset.state === '${state}'`);
const fill = async (values: Record<string, string>, button: string): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await browser.run(`document.querySelector('[name=${name}]').value = '${value}'`);
  await browser.run(`document.querySelector('button[value=${button}]').click()`);
};

/** Goes through the pages of the provider, which ask for a name the first time. */
async function atProvider(name: string): Promise<void> {
  for (let page = 0; page < 3; page++) {
    await browser.until(`document.body?.dataset.state !== undefined || document.querySelector('[name=prompt]') !== null`);
    const prompt = await browser.run(`document.querySelector('[name=prompt]')?.value`);
    if (typeof prompt !== 'string') return;
    if (prompt === 'login')
      await browser.run(
        `document.querySelector('[name=login]').value = '${name}'; document.querySelector('[name=password]').value = 'any'`,
      );
    await browser.run(`document.querySelector('form').submit()`);
    await browser.until(`document.querySelector('[name=prompt]')?.value !== '${prompt}'`);
  }
}

it('answers its page, and 401 without a login', async () => {
  expect((await fetch(`${server.url}/`)).status).toBe(200);
  expect((await fetch(`${server.url}/account`)).status).toBe(401);
});

if (CHROMIUM !== undefined) {
  describe('the page in Chromium', () => {
    it('registers, links the provider, logs in by it, lists sessions and logs out everywhere', async () => {
      await browser.open(`${origin}/`);
      await isState('guest');
      await fill({ email: 'ann@example.com', password: 'correct horse' }, 'register');
      await isState('member');
      expect([await texts('linked'), ((await texts('sessions')) as string[]).length]).toEqual([[], 1]);

      await click('link');
      await browser.until(`location.origin !== '${origin}' || document.querySelector('#linked li') !== null`);
      await atProvider('ann');
      await isState('member');
      await browser.until(`document.querySelectorAll('#sessions li').length === 2`);
      expect(await texts('linked')).toEqual(['company: ann']);
      expect(await browser.run('document.cookie + location.hash')).toBe('');

      await click('logout');
      await isState('guest');
      await click('company');
      await browser.until(`location.origin !== '${origin}' || document.body.dataset.state === 'member'`);
      await atProvider('ann');
      await isState('member');
      await browser.until(`document.querySelectorAll('#sessions li').length === 2`);
      expect(await browser.run(`document.getElementById('name').textContent`)).toBe('ann@example.com');
      expect(((await texts('sessions')) as string[]).some((line) => line.endsWith('company (this one)'))).toBe(true);

      await click('everywhere');
      await isState('guest');
      await browser.open(`${origin}/`);
      await isState('guest');
      expect((await database.db.collection('users').find().toArray()).length).toBe(1);
    });

    it('says why a login failed, and keeps nothing of it in the address', async () => {
      await browser.open('about:blank');
      await browser.open(`${origin}/#error=access_denied&error_id=1`);
      await browser.until(`document.getElementById('message')?.textContent.includes('refused')`);
      expect(await browser.run('location.hash')).toBe('');
    });
  });
}

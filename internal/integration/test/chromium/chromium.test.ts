import type { Server } from 'node:http';
import { noteLeftOut } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Running } from '../harness.ts';
import { ANN, PASSWORD, startServer } from '../session-server.ts';
import { attack, carelessly, listenOn, page, Seen, type Asked } from './attack.ts';

if (CHROMIUM === undefined) noteLeftOut('left out: chromium is not installed (apt-get install chromium): the test of cookies in a browser');

let database: TestDatabase;
let shop: Running;
let browser: Chromium;
let servers: Server[];
let shopPort: number;
let foreignPort: number;
const asked: Asked[] = [];

const seen = new Seen();

beforeAll(async () => {
  database = await startDatabase();
  shop = await startServer(database.db, { cookie: true }, { limiter: false });
  await shop.app.service('users').create({ email: ANN.email, password: PASSWORD });
  const behind = await listenOn(seen.beside(carelessly(shop.app as never, asked)));
  const foreign = await listenOn(
    seen.beside((_req, res) => {
      res.setHeader('content-type', 'text/html').end(page(attack(`http://localhost:${shopPort}`, ANN)));
    }),
  );
  servers = [behind.server, foreign.server];
  [shopPort, foreignPort] = [behind.port, foreign.port];
  const call = `const call = async (method, data) =>
    seen.push((await fetch('/authentication', { method, headers: { 'content-type': 'application/json' }, body: data && JSON.stringify(data) })).status);`;
  const look = "seen.push((await fetch('/page')).status);";
  const pages = {
    '/login': `${call} await call('POST', ${JSON.stringify(ANN)}); await call('POST', { strategy: 'refresh' }); ${look}`,
    '/still': look,
    '/logout': `${call} await call('DELETE'); ${look}`,
  };
  for (const [path, code] of Object.entries(pages)) shop.app.get(path, (_req, res) => void res.send(page(code)));
  if (CHROMIUM !== undefined) browser = await Chromium.start(CHROMIUM);
});
afterAll(async () => {
  if (CHROMIUM !== undefined) await browser.stop();
  for (const server of servers) server.close();
  await shop.stop();
  await database.close();
});

/** All sessions. That the answer of a refresh was sent is written behind it, and waited for here. */
async function sessions(): Promise<string> {
  const found = await database.db.collection('sessions').find({ kind: 'session' }).toArray();
  if (found.some(({ previous, answered }) => previous !== answered)) return sessions();
  return JSON.stringify(found);
}

/** What the server answers to a page of another origin: a login and a refresh by JSON and by form, a logout, and a form in a frame. */
const refused = (site: string, cookies: boolean): Asked[] =>
  // Without the cookies there is nobody to log out.
  [403, 403, 403, 403, cookies ? 403 : 401, 403].map((status, index) => ({
    method: index === 4 ? 'DELETE' : 'POST',
    site,
    cookies,
    status,
  }));

describe('S32 without a browser', () => {
  it.each([
    ['of another origin of the same site', 'same-site'],
    ['of another site', 'cross-site'],
  ])('what a browser sends for a page %s logs nobody in', async (_what, site) => {
    asked.length = 0;
    const answer = await fetch(`http://localhost:${shopPort}/authentication`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': site, origin: `http://localhost:${foreignPort}` },
      body: JSON.stringify(ANN),
    });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(asked.splice(0)).toEqual([{ method: 'POST', site, cookies: false, status: 403 }]);
  });
});

if (CHROMIUM !== undefined) {
  describe('S32 in Chromium', () => {
    it('a page of the own origin logs in, refreshes and logs out by cookie', async () => {
      expect(await seen.of(browser, `http://localhost:${shopPort}/login`)).toEqual([201, 201, 200]);
      expect(await seen.of(browser, `http://localhost:${shopPort}/logout`)).toEqual([200, 401]);
      expect(asked.splice(0).map(({ site, status }) => `${site} ${status}`)).toEqual([
        'same-origin 201',
        'same-origin 201',
        'same-origin 200',
      ]);
    });

    it.each([
      // Another port is another origin of the same site: the browser sends the strictest cookies along.
      ['of another origin of the same site', 'localhost', 'same-site', true],
      ['of another site', '127.0.0.1', 'cross-site', false],
    ])('a page %s logs nobody in, refreshes nothing and logs nobody out', async (_what, host, site, cookies) => {
      expect(await seen.of(browser, `http://localhost:${shopPort}/login`)).toEqual([201, 201, 200]);
      const before = await sessions();
      asked.length = 0;
      expect(await seen.of(browser, `http://${host}:${foreignPort}/`)).toHaveLength(6);
      expect(asked.splice(0)).toEqual(refused(site, cookies));
      expect(await sessions()).toBe(before);
      expect(await seen.of(browser, `http://localhost:${shopPort}/still`)).toEqual([200]);
    });
  });
}

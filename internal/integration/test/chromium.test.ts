import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noteLeftOut, startDatabase, type TestDatabase } from '@framework-internal/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Running } from './harness.ts';
import { ANN, PASSWORD, startServer } from './session-server.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
if (CHROMIUM === undefined) noteLeftOut('left out: chromium is not installed (apt-get install chromium): the test of cookies in a browser');

let database: TestDatabase;
let shop: Running;
let foreign: Server;
let profile: string;
beforeAll(async () => {
  database = await startDatabase();
  shop = await startServer(database.db, { cookie: true }, { limiter: false });
  await shop.app.service('users').create({ email: ANN.email, password: PASSWORD });
  foreign = createServer((req, res) => {
    res.setHeader('content-type', 'text/html').end(`<body>${scriptOf(attack(`http://localhost:${new URL(shop.url).port}`))}`);
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  profile = mkdtempSync(join(tmpdir(), 'chromium-'));
});
afterAll(async () => {
  foreign.close();
  await shop.stop();
  await database.close();
  rmSync(profile, { recursive: true, force: true });
});

const scriptOf = (code: string): string => `<script type="module">${code}; document.body.append('done ' + JSON.stringify(seen));</script>`;

/** Sends what a page of another origin can send: requests with the cookies of the shop, and forms into frames. */
function attack(url: string): string {
  return `
    const seen = [];
    const json = { 'content-type': 'text/plain' };
    const login = JSON.stringify(${JSON.stringify(ANN)});
    for (const [method, body] of [['POST', login], ['POST', '{"strategy":"refresh"}'], ['DELETE', undefined]]) {
      const init = { method, body, headers: body ? json : {}, credentials: 'include', mode: method === 'DELETE' ? 'cors' : 'no-cors' };
      seen.push(await fetch('${url}/authentication', init).then(({ type }) => type, () => 'refused'));
    }
    const frame = Object.assign(document.createElement('iframe'), { name: 'into' });
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '${url}/authentication', target: 'into' });
    for (const [name, value] of Object.entries(${JSON.stringify(ANN)}))
      form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(frame, form);
    form.submit();
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    seen.push('form sent');`;
}

async function open(url: string): Promise<string> {
  const options = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--virtual-time-budget=20000',
    `--user-data-dir=${profile}`,
    '--dump-dom',
    url,
  ];
  return (await promisify(execFile)(String(CHROMIUM), options, { timeout: 60_000 })).stdout;
}

if (CHROMIUM !== undefined) {
  it('S32 in Chromium a page logs in by cookie, and a page of another origin logs nobody in, refreshes nothing and logs nobody out', async () => {
    const statuses: [method: string, origin: string | undefined, status: number][] = [];
    const own = `http://localhost:${new URL(shop.url).port}`;
    shop.app.get('/login', (_req, res) => {
      const code = `
        const seen = [];
        const call = async (method, data) => seen.push((await fetch('/authentication', { method, headers: { 'content-type': 'application/json' }, body: data && JSON.stringify(data) })).status);
        await call('POST', ${JSON.stringify(ANN)});
        await call('POST', { strategy: 'refresh' });
        seen.push((await fetch('/page')).status)`;
      res.send(`<body>${scriptOf(code)}`);
    });
    shop.app.get('/still', (_req, res) => {
      res.send(
        `<body>${scriptOf(`const seen = [(await fetch('/page')).status, (await fetch('/authentication', { method: 'DELETE' })).status, (await fetch('/page')).status]`)}`,
      );
    });
    shop.app.on('authz-denied', (event: { method: string; error: string }) => statuses.push([event.method, event.error, 403]));
    expect(await open(`${own}/login`)).toContain('done [201,201,200]');
    const before = await database.db.collection('sessions').countDocuments({ kind: 'session' });
    expect(await open(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)).toContain('form sent');
    // The form; what is sent as text is no JSON (415), cookies stay at home, and the browser itself keeps the DELETE back.
    expect(statuses.filter(([, error]) => error === 'Forbidden').length).toBeGreaterThanOrEqual(1);
    expect(await database.db.collection('sessions').countDocuments({ kind: 'session' })).toBe(before);
    expect(await open(`${own}/still`)).toContain('done [200,200,401]');
  });
}

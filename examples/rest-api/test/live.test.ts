import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { DocDbServer } from '@framework/docdb-embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { start, stop, type Running } from './running.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the test of the live page in a browser');

const dataDir = mkdtempSync(join(tmpdir(), 'live-'));
let database: DocDbServer;
let running: Running;
let browser: Chromium | undefined;
let between: Server;
let token: string;
beforeAll(async () => {
  database = await DocDbServer.start();
  await skipImport(database.uri);
  running = await start(dataDir, database.uri);
  between = createServer(pass).listen(0, '127.0.0.1');
  if (CHROMIUM !== undefined) browser = await Chromium.start(CHROMIUM);
  const user = { email: 'live@example.com', password: 'correct horse' };
  await send('POST', '/users', user);
  token = (await send('POST', '/authentication', { strategy: 'local', ...user })).accessToken;
});
afterAll(async () => {
  await browser?.stop();
  between.closeAllConnections();
  between.close();
  await stop(running, 'SIGTERM');
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Notes that the cities of the world are in a database: none of them are looked at here, and they take longer than everything else. */
async function skipImport(uri: string): Promise<void> {
  const client = await new MongoClient(uri).connect();
  await client.db('rest-api').collection<{ _id: string }>('imports').insertOne({ _id: 'cities' });
  await client.close();
}

async function send(method: string, path: string, data: object = {}): Promise<any> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const body = method === 'DELETE' ? {} : { body: JSON.stringify(data) };
  return (await fetch(running.url + path, { method, headers, ...body })).json();
}

const open = new Set<ServerResponse>();
let isCut = false;
/** What the open pages show, oldest first. */
let shown: { readonly state: string; readonly changes: string[] }[] = [];

/** Path to which the pages send what they show. */
const SEEN = '/seen';

/** Two pages that are open at once, and what looks at both. */
const WATCH = `<iframe src="/live"></iframe><iframe src="/live"></iframe><script type="module">
  const read = ({ contentDocument: page }) => ({
    state: page.querySelector('#state')?.textContent,
    changes: [...page.querySelectorAll('#changes li')].map(({ textContent }) => textContent).reverse(),
  });
  let before = '';
  setInterval(() => {
    const body = JSON.stringify([...document.querySelectorAll('iframe')].map(read));
    if (body !== before) fetch('${SEEN}', { method: 'POST', body });
    before = body;
  }, 20);
</script>`;

/** The network between the browser and the example: it can be cut. */
const pass: Parameters<typeof createServer>[1] = (req, res) => {
  if (req.url === SEEN) {
    let text = '';
    req
      .on('data', (chunk) => (text += String(chunk)))
      .on('end', () => {
        shown = JSON.parse(text);
        res.end();
      });
    return;
  }
  if (req.url === '/watch') {
    res.setHeader('content-type', 'text/html').end(WATCH);
    return;
  }
  if (isCut) {
    res.destroy();
    return;
  }
  open.add(res);
  res.once('close', () => open.delete(res));
  const { method, headers, url } = req;
  const passed = request(running.url + String(url), { method, headers, agent: false }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => res.destroy()).pipe(res);
  });
  res.once('close', () => passed.destroy());
  passed.on('error', () => res.destroy()).end();
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};
const both = (holds: (page: (typeof shown)[number]) => boolean): Promise<void> => until(() => shown.length === 2 && shown.every(holds));

const city = (name: string) => ({ name, country: 'GB', population: 7, latitude: 1, longitude: 2 });

describe('the live page', () => {
  it('runs no script but its own, and is framed by nobody else', async () => {
    const { headers, status } = await fetch(`${running.url}/live`);
    expect([status, headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("frame-ancestors 'self'")]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('has a stream that tells of cities and of nothing else', async () => {
    const { body } = await fetch(`${running.url}/events`);
    let text = '';
    const reading = (async () => {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        if (text.includes('Streamtown')) return;
      }
    })();
    await until(() => text.includes('event: connection'));
    await send('POST', '/users', { email: 'other@example.com', password: 'correct horse' });
    await send('POST', '/cities', city('Streamtown'));
    await reading;
    expect(text).toContain('event: cities created');
    expect(text).not.toContain('example.com');
  });

  if (CHROMIUM !== undefined) {
    it('updates in every open browser, and shows what it missed while its connection was cut, once and in order', async () => {
      await browser?.open(`http://127.0.0.1:${(between.address() as AddressInfo).port}/watch`);
      await both(({ state }) => state === 'live');
      const { _id } = await send('POST', '/cities', city('<b>Alpha</b>'));
      await both(({ changes }) => changes.length === 1);
      isCut = true;
      for (const each of open) each.destroy();
      await both(({ state }) => state === 'connecting');
      await send('PATCH', `/cities/${_id}`, { population: 8 });
      await send('POST', '/cities', city('Beta'));
      isCut = false;
      await both(({ state }) => state === 'live');
      await send('DELETE', `/cities/${_id}`);
      await both(({ changes }) => changes.length >= 4);
      const changes = [
        '<b>Alpha</b> (GB, 7) was created',
        '<b>Alpha</b> (GB, 8) was patched',
        'Beta (GB, 7) was created',
        '<b>Alpha</b> (GB, 8) was removed',
      ];
      expect(shown.map((page) => page.changes)).toEqual([changes, changes]);
    });
  }
});

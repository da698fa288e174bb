import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { listen, send, sendJson, type RunningApplication } from '@framework-internal/testing/http';
import { authenticate } from '@framework/authentication';
import { framework } from '@framework/core';
import express, { rest } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openapi } from '../src/index.ts';
import { notesApplication, USER } from './notes-application.ts';

if (CHROMIUM === undefined)
  noteLeftOut('left out: chromium is not installed (apt-get install chromium): the page of the document in a browser');

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function run(app: ReturnType<typeof notesApplication>): Promise<RunningApplication<ReturnType<typeof notesApplication>>> {
  const running = await listen(app);
  ended.push(running.stop);
  return running;
}

const { NODE_ENV } = process.env;
afterEach(() => {
  process.env.NODE_ENV = NODE_ENV;
});

describe('the page of the document', () => {
  it('S41 runs nothing but what this server sends, and is framed by nobody', async () => {
    const { url } = await run(notesApplication({ ui: 'rapidoc', servers: [{ url: '/' }, { url: 'https://api.example.com/v1' }] }));
    const page = await send(url, '/openapi.json/ui');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self' https://api.example.com;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(page.text).toContain('<title>Notes &#60;of all&#62;</title>');
    expect(page.text).not.toMatch(/<script(?![^>]*src=)|https?:| on[a-z]+=/);
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]*)"/g)) {
      const loaded = await send(url, `/openapi.json/${String(file)}`);
      expect([file, loaded.status, loaded.headers['content-security-policy']]).toEqual([file, 200, policy]);
      expect(loaded.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('is asked about, packed, and found without its slash', async () => {
    const { url } = await run(notesApplication({ ui: 'rapidoc' }));
    const whole = await send(url, '/openapi.json/rapidoc-min.js');
    const packed = await send(url, '/openapi.json/rapidoc-min.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(Number(packed.headers['content-length'])).toBeLessThan(Number(whole.headers['content-length']) / 2);
    const plain = await send(url, '/openapi.json/ui.js', { headers: { 'accept-encoding': 'gzip;q=0, br' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const again = await send(url, '/openapi.json/ui', {
      headers: { 'if-none-match': String((await send(url, '/openapi.json/ui')).headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await send(url, '/openapi.json/ui', { method: 'HEAD' });
    expect([head.status, head.text, Number(head.headers['content-length']) > 100]).toEqual([200, '', true]);
    const slash = await send(url, '/openapi.json/ui/');
    expect([slash.status, slash.headers.location]).toEqual([308, '../ui']);
    expect((await send(url, '/openapi.json/package.json')).status).toBe(405);
    expect((await send(url, '/openapi.json/..%2Fpackage.json')).status).toBe(405);
    expect((await sendJson(url, 'POST', '/openapi.json/ui', {})).status).toBe(405);
  });

  it('is not sent to whom something else has answered while it was read', async () => {
    const app = express(framework());
    app.use((req, res, next) => {
      next();
      if (req.headers['x-late'] !== undefined) res.end('late');
    });
    app.configure(rest()).configure(openapi({ info: { title: 'Notes', version: '1.0.0' }, ui: 'rapidoc' }));
    const { url, stop } = await listen(app);
    ended.push(stop);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    ended.push(async () => Promise.resolve(process.off('unhandledRejection', note)));
    expect((await send(url, '/openapi.json/ui', { headers: { 'x-late': '1' } })).text).toBe('late');
    expect((await send(url, '/openapi.json/ui')).text).toContain('<title>Notes</title>');
    expect(unhandled).toEqual([]);
  });

  it('is off in production, unless it is asked for there too', async () => {
    process.env.NODE_ENV = 'production';
    const off = await run(notesApplication({ ui: 'rapidoc' }));
    expect((await send(off.url, '/openapi.json/ui')).status).toBe(405);
    expect((await send(off.url, '/openapi.json')).status).toBe(200);
    const on = await run(notesApplication({ ui: { use: 'rapidoc', production: true } }));
    expect((await send(on.url, '/openapi.json/ui')).status).toBe(200);
  });

  it.each([
    ['scalar', '@scalar/api-reference'],
    ['redoc', 'redoc'],
  ] as const)('of %s that is not installed is an error that names the command', (ui, name) => {
    expect(() => notesApplication({ ui })).toThrow(
      `openapi({ ui: '${ui}' }) needs the package ${name}, which is not installed: npm install ${name}`,
    );
  });

  it('needs an application with pages', () => {
    expect(() => framework().configure(openapi({ ui: 'rapidoc' }))).toThrow('wrap it first with express(app)');
  });
});

/** The request of an operation, as the page shows it. */
const request = (method: string, path: string): string =>
  `document.querySelector('rapi-doc')?.shadowRoot.querySelector('api-request[method="${method}"][path="${path}"]')?.shadowRoot`;
const answerOf = (method: string, path: string): string => `(${request(method, path)}?.textContent ?? '')`;

if (CHROMIUM !== undefined) {
  describe('the page of the document in a browser', () => {
    async function open(url: string): Promise<Chromium> {
      const chromium = await Chromium.start(String(CHROMIUM));
      ended.unshift(() => chromium.stop());
      await chromium.open(`${url}/openapi.json/ui`);
      return chromium;
    }

    /** @param until what the answer has: its status is shown before its text has come */
    async function call(page: Chromium, method: string, path: string, until: string, body?: object): Promise<string> {
      await page.until(
        `${request(method, path)}?.querySelector('button[part*="btn-try"]') !== null && ${request(method, path)} !== undefined`,
      );
      if (body) {
        await page.run(`(() => {
          const text = ${request(method, path)}.querySelector('textarea.request-body-param-user-input');
          text.value = ${JSON.stringify(JSON.stringify(body))};
          text.dispatchEvent(new Event('input', { bubbles: true }));
          text.dispatchEvent(new Event('change', { bubbles: true }));
        })()`);
      }
      await page.run(`${request(method, path)}.querySelector('button[part*="btn-try"]').click()`);
      await page.until(`${answerOf(method, path)}.includes(${JSON.stringify(until)})`);
      return String(await page.run(answerOf(method, path)));
    }

    it('logs in, calls, and shows the answer', async () => {
      const { url } = await run(notesApplication({ ui: 'rapidoc' }));
      await sendJson(url, 'POST', '/users', USER);
      const page = await open(url);
      expect(await call(page, 'get', '/notes', '"message": "Not authenticated"')).toContain('401');
      const login = await call(page, 'post', '/authentication', '"accessToken": "ey', { strategy: 'local', ...USER });
      const [, token] = /"accessToken":\s*"([^"]+)"/.exec(login) ?? [];
      expect(token).toBeDefined();
      await page.run(`(() => {
        const root = document.querySelector('rapi-doc').shadowRoot;
        root.querySelector('#http-jwt-api-key-input').value = ${JSON.stringify(token)};
        root.querySelector('#auth button').click();
      })()`);
      await page.run(`${request('get', '/notes')}.querySelector('button[part*="btn-try"]').click()`);
      await page.until(`${answerOf('get', '/notes')}.includes('The first note of all')`);
      expect(await page.run(answerOf('get', '/notes'))).toContain('200');
    });

    it('asks for a token where the document needs a login', async () => {
      const app = notesApplication({ ui: 'rapidoc' });
      app.service('openapi.json').hooks({ before: { find: [authenticate('jwt')] } });
      const { url } = await run(app);
      await sendJson(url, 'POST', '/users', USER);
      const { body } = await sendJson(url, 'POST', '/authentication', { strategy: 'local', ...USER });
      expect((await send(url, '/openapi.json')).status).toBe(401);
      const page = await open(url);
      await page.until(`document.querySelector('input[name="token"]') !== null`);
      const enter = (token: string): Promise<unknown> =>
        page.run(`(() => {
          document.querySelector('input[name="token"]').value = ${JSON.stringify(token)};
          document.querySelector('form').requestSubmit();
        })()`);
      await enter('wrong');
      await page.until(`document.body.innerText.includes('does not take this token')`);
      await enter(body.accessToken);
      expect(await call(page, 'get', '/notes', 'The first note of all')).toContain('200');
    });
  });
}

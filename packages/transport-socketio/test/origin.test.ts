import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addAuthentication, memory, start, stopAll, type AnyApplication } from './harness.ts';

afterEach(stopAll);

/** An application that notes the cookies which its logins are given. */
function seesCookies(seen: unknown[]): (app: AnyApplication) => void {
  return (app) => {
    app.use('users', memory());
    addAuthentication(app);
    app.service('authentication').parse = async ({ headers }: any) => {
      seen.push(headers.cookie);
      return null;
    };
  };
}

/** Asks for a WebSocket as a page of an origin does. */
function upgrade(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/socket.io/?EIO=4&transport=websocket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...headers,
      },
    });
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** What a page of an origin gets when it polls. */
async function poll(url: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers })).status;
}

const listed = { cors: { origin: ['https://app.example.com', /^https:\/\/[a-z]+\.trusted\.example$/g] } };
const one = { cors: { origin: 'https://app.example.com' } };
const asked = {
  cors: {
    origin: (origin: string | undefined, callback: (error: Error | null, allowed?: boolean) => void) => {
      if (origin === 'https://broken.example') callback(new Error('can not tell'));
      else callback(null, origin === 'https://app.example.com');
    },
  },
};

/** Settings that are asked for with each request. */
const each = {
  cors: (req: { headers: Record<string, string> }, callback: (error: Error | null, options?: object) => void) => {
    const { origin } = req.headers;
    if (origin === 'https://broken.example') callback(new Error('can not tell'));
    else if (origin === 'https://missing.example') callback(null, { origin: undefined });
    else callback(null, { origin: 'https://app.example.com' });
  },
};

describe('S35 the origin of a page', () => {
  it.each([
    ['no setting', {}, undefined, true],
    ['no setting', {}, 'http://HOST', true],
    ['no setting', {}, 'https://HOST', true],
    ['no setting', {}, 'https://evil.example', false],
    ['no setting', {}, 'null', false],
    ['no setting', {}, '', false],
    ['no setting', {}, 'http://HOST.evil.example', false],
    ['no setting', {}, 'http://evil.example/HOST', false],
    ['no setting', {}, 'http://HOST@evil.example', false],
    ['no setting', {}, 'http://localhost:1', false],
    ['a list', listed, undefined, true],
    ['a list', listed, 'http://HOST', true],
    ['a list', listed, 'https://app.example.com', true],
    ['a list', listed, 'http://app.example.com', false],
    ['a list', listed, 'https://app.example.com.evil.example', false],
    ['a list', listed, 'https://a.trusted.example', true],
    ['a list', listed, 'https://a.trusted.example.evil', false],
    ['one origin', one, 'https://app.example.com', true],
    ['one origin', one, 'https://evil.example', false],
    ['all', { cors: { origin: '*' } }, 'https://evil.example', true],
    ['all', { cors: { origin: true } }, 'https://evil.example', true],
    ['a function', asked, 'https://app.example.com', true],
    ['a function', asked, 'https://evil.example', false],
    ['a function', asked, 'https://broken.example', false],
    ['settings for each request', each, undefined, true],
    ['settings for each request', each, 'http://HOST', true],
    ['settings for each request', each, 'https://app.example.com', true],
    ['settings for each request', each, 'https://evil.example', false],
    ['settings for each request', each, 'https://broken.example', false],
    ['settings for each request', each, 'https://missing.example', false],
    ['settings that name no origin', { cors: { credentials: true } }, 'https://evil.example', true],
  ])('with %s (%j): %s may connect: %s', async (_title, options, origin, allowed) => {
    const { url } = await start((app) => void app.use('notes', memory()), options as object);
    const headers: Record<string, string> = origin === undefined ? {} : { origin: origin.replace('HOST', new URL(url).host) };
    const [upgraded, polled] = [await upgrade(url, headers), await poll(url, headers)];
    expect(upgraded).toBe(allowed ? 101 : 400);
    if (allowed) expect(polled).toBe(200);
    else expect([400, 403]).toContain(polled);
  });

  it.each([
    ['no setting', {}, 'same-origin', 200],
    ['no setting', {}, 'none', 200],
    ['no setting', {}, 'cross-site', 403],
    ['no setting', {}, 'same-site', 403],
    ['a list', listed, 'cross-site', 403],
    ['a list of everything', { cors: { origin: [/.*/] } }, 'cross-site', 403],
    ['a function', { cors: { origin: (_origin: unknown, callback: any) => callback(null, true) } }, 'cross-site', 403],
    ['all', { cors: { origin: '*' } }, 'cross-site', 200],
  ])('with %s (%j), a script element, whose request has no origin, of a page that is %s gets %i', async (_title, options, site, status) => {
    const seen: unknown[] = [];
    const { url } = await start(seesCookies(seen), options as object);
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script', cookie: 'access=token' };
    const ask = (sid = ''): Promise<Response> => fetch(`${url}/socket.io/?EIO=4&transport=polling&j=0${sid}`, { headers });
    const opened = await ask();
    expect(opened.status).toBe(status);
    const id = /sid\\":\\"([\w-]+)/.exec(await opened.text())?.[1];
    if (status !== 200) expect(id).toBeUndefined();
    else {
      await fetch(`${url}/socket.io/?EIO=4&transport=polling&j=0&sid=${String(id)}`, {
        method: 'POST',
        body: new URLSearchParams({ d: '40' }),
      });
      await ask(`&sid=${String(id)}`);
      expect(seen).toEqual([site === 'cross-site' ? undefined : 'access=token']);
    }
  });

  it('that is not listed gets no login by the cookies of its visitor, also where all may connect', async () => {
    const seen: unknown[] = [];
    const { url } = await start(seesCookies(seen), { cors: { origin: '*' } });
    const { connect } = await import('./harness.ts');
    await connect(url, { extraHeaders: { cookie: 'access=token', origin: 'https://evil.example' } });
    await connect(url, { extraHeaders: { cookie: 'access=token' } });
    expect(seen).toEqual([undefined, 'access=token']);
  });

  it('that a function of the application has let in is logged in by the cookies of its visitor', async () => {
    const seen: unknown[] = [];
    const origin = (_origin: unknown, callback: any): void => callback(null, true);
    const { url } = await start(seesCookies(seen), { cors: { origin } });
    const { connect } = await import('./harness.ts');
    await connect(url, { extraHeaders: { cookie: 'access=token', origin: 'https://page.example' } });
    expect(seen).toEqual(['access=token']);
  });
});

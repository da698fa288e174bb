import { noteLeftOut } from '@framework-internal/testing';
import { Chromium, CHROMIUM } from '@framework-internal/testing/chromium';
import { afterEach, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { createClient, rest } from '../src/index.ts';
import { LOGIN, start, type Running, type StartOptions, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';
import { Pages } from './pages.ts';

if (CHROMIUM === undefined) noteLeftOut('left out: chromium is not installed (apt-get install chromium): logins by cookies in two tabs');

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The cookies of a browser, as far as one server concerns them. */
class Jar {
  readonly cookies = new Map<string, string>();
  /** Attributes of the cookies that were set last, by name. */
  readonly attributes = new Map<string, string[]>();

  /** `fetch` as a browser does it for a page of the server. */
  readonly fetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', new URL(String(input)).origin);
    if (this.cookies.size > 0) headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await fetch(input, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const [name = '', value = ''] = pair.split('=');
      this.attributes.set(name, attributes);
      if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  };
}

interface Counted extends Running {
  /** Strategies that were asked for. */
  readonly asked: string[];
}

async function server(sessions: object, options: StartOptions = {}): Promise<Counted> {
  const asked: string[] = [];
  const running = await start({ ...options, authentication: { sessions, jwtOptions: { expiresIn: '1h' } } });
  running.app.service('authentication').hooks({
    before: { create: [({ data }) => void asked.push(String(data.strategy))], remove: [() => void asked.push('logout')] },
  });
  ends.push(() => running.stop());
  return { ...running, asked };
}

/** A client of a page that was loaded just now. */
function page({ url }: Running, jar: Jar) {
  const client = createClient<TestApp>(rest(url, { retry: false, fetch: jar.fetch }), { authentication: { cookie: true } });
  ends.push(() => client.close());
  return client;
}

describe.each([{ refresh: 'cookie' }, { cookie: true, refresh: 'cookie' }, { cookie: true }])(
  'a login by the cookies of %j',
  (sessions) => {
    it('goes on after the page was loaded again, and is renewed once for all calls', async () => {
      const running = await server(sessions);
      const jar = new Jar();
      const first = page(running, jar);
      const result = await first.authenticate(LOGIN);
      expect(result.user).toEqual({ id: 1, email: LOGIN.email });
      expect(result).not.toHaveProperty('refreshToken');
      expect(await first.service('who').find()).toEqual({ email: LOGIN.email });
      for (const attributes of jar.attributes.values())
        expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'Secure', 'Path=/']));
      const cookies = new Map(jar.cookies);
      expect([...cookies.keys()]).toContain('__Host-refresh');

      const second = page(running, jar);
      const calls = [second.service('who').find(), second.service('who').find(), second.service('who').create({ text: 'x' })];
      expect(await Promise.all(calls)).toEqual([{ email: LOGIN.email }, { email: LOGIN.email }, { text: 'x', by: LOGIN.email }]);
      const third = page(running, jar);
      expect((await third.reAuthenticate()).user).toMatchObject({ email: LOGIN.email });
      expect(await third.service('who').find()).toEqual({ email: LOGIN.email });
      // Where the access token is in a cookie too, calls need nothing else.
      expect(running.asked).toEqual('cookie' in sessions ? ['local', 'refresh'] : ['local', 'refresh', 'refresh']);
    });

    it('ends with the logout for all pages', async () => {
      const running = await server(sessions);
      const jar = new Jar();
      const [one, other] = [page(running, jar), page(running, jar)];
      await one.authenticate(LOGIN);
      await other.reAuthenticate();
      const stolen = new Map(jar.cookies);
      await one.logout();
      expect(jar.cookies.has('__Host-refresh')).toBe(false);
      expect(await failureOf(one.service('who').find())).toMatchObject({ code: 401 });
      expect(await failureOf(other.service('who').find())).toMatchObject({ code: 401 });
      expect(await failureOf(page(running, jar).reAuthenticate())).toMatchObject({ code: 401 });
      // Cookies that somebody has kept are worth nothing either.
      for (const [name, value] of stolen) jar.cookies.set(name, value);
      expect(await failureOf(page(running, jar).reAuthenticate())).toMatchObject({ code: 401 });
    });
  },
);

it('a refresh by a cookie that another page sends is refused, and leaves the login', async () => {
  const running = await server({ refresh: 'cookie' });
  const jar = new Jar();
  await page(running, jar).authenticate(LOGIN);
  const foreign: typeof fetch = (input, init) => {
    const cookie = [...jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(input, { ...init, headers: { ...(init?.headers as object), cookie, origin: 'https://evil.example' } });
  };
  const evil = createClient<TestApp>(rest(running.url, { retry: false, fetch: foreign }), { authentication: { cookie: true } });
  expect(await failureOf(evil.reAuthenticate())).toMatchObject({ code: 403 });
  expect((await page(running, jar).reAuthenticate()).user).toMatchObject({ email: LOGIN.email });
});

if (CHROMIUM !== undefined) {
  it('two tabs of Chromium share a login by cookies: one refresh for both in each round, and one logout', async () => {
    const pages = new Pages();
    await pages.add('cookies');
    ends.push(() => stop());
    const rounds = Number(process.env.TAB_ROUNDS ?? 8);
    const running = await server({ refresh: 'cookie' }, { first: pages.handler });
    const browser = await Chromium.start(String(CHROMIUM));
    ends.unshift(() => browser.stop());
    for (const tab of [1, 2]) await browser.openTab(`http://localhost:${running.port}/cookies?${tab}-${rounds}`);
    const expected = { seen: [LOGIN.email], count: rounds * 2 + 1, ended: 'logout', after: [401, 401], kept: ['', 0, 0] };
    expect(await pages.told(2)).toEqual([
      { tab: '1', ...expected },
      { tab: '2', ...expected },
    ]);
    expect(running.asked.slice(0, rounds + 2)).toEqual(['local', ...Array.from({ length: rounds }, () => 'refresh'), 'logout']);
  });
}

import { sendJson } from '@framework-internal/testing/http';
import { BrowserClient, logInAtProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { answerAt, API, exchange, startProviders, startShop, type Shop, type TwoProviders } from './harness.ts';

let providers: TwoProviders;
let shop: Shop;
const logged: string[] = [];
const events: string[] = [];
beforeAll(async () => {
  for (const name of ['log', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, name).mockImplementation((...parts: unknown[]) => void logged.push(parts.map(String).join(' ')));
  jest.spyOn(process, 'emitWarning').mockImplementation((text) => void logged.push(String(text)));
  providers = await startProviders();
  shop = await startShop({ oauth: providers.oauth, database: providers.database }, providers.server);
  for (const name of ['login-failed', 'oauth-failed', 'lockout', 'authz-denied', 'refresh-reuse'])
    shop.app.on(name, (event: unknown) => void events.push(JSON.stringify(event)));
});
afterAll(async () => {
  jest.restoreAllMocks();
  await providers.stop();
});

/** Values of a name in an address or a form. */
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`[?&#]${name}=([^&#\\s]{16,})`, 'g'))].map((match) => decodeURIComponent(match[1] as string));

it('S31 O12 no token, code, verifier, nonce or state of a whole run is in a log, an event, an answer or an address where it is not for', async () => {
  const browsers: BrowserClient[] = [];
  const tokens: string[] = [];
  const sent: string[] = [];
  const send: typeof fetch = globalThis.fetch;
  // What the server asks the providers.
  globalThis.fetch = async (url, options) => {
    const body = options?.body instanceof URLSearchParams ? options.body.toString() : String(options?.body ?? '');
    sent.push(`?${body}`, JSON.stringify(options?.headers ?? {}));
    const answer = await send(url, options);
    tokens.push(
      ...[...(await answer.clone().text()).matchAll(/"(?:access_token|id_token|refresh_token)":"([^"]+)"/g)].map(
        (match) => match[1] as string,
      ),
    );
    return answer;
  };
  try {
    for (const [name, provider] of [
      ['ann', 'one'],
      ['bob', 'two'],
      ['carl', 'one'],
    ] as const) {
      const browser = shop.browser();
      browsers.push(browser);
      const ticket = answerAt(await logInAtProvider(browser, `${API}/oauth/${provider}`, name)).access_token;
      const login = await exchange(shop, ticket);
      tokens.push(login.body.accessToken as string, login.body.refreshToken as string);
      const headers = { authorization: `Bearer ${String(login.body.accessToken)}` };
      const link = await browser.request(`${API}/oauth/${provider === 'one' ? 'two' : 'one'}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      });
      await logInAtProvider(browser, String(link.body.location), name);
      // Answers that are not right, too.
      const callback = browser.seen.find(({ url }) => url.includes('/callback?'))?.url ?? '';
      await browser.request(callback);
      await browser.request(callback.replace(/code=[^&]*/, 'code=guessed'));
      const start = await browser.request(`${API}/oauth/${provider}`);
      const state = new URL(String(start.headers.location)).searchParams.get('state');
      await browser.request(`${API}/oauth/${provider}/callback?error=server_error&state=${String(state)}`);
      await sendJson(shop.url, 'DELETE', '/authentication', undefined, headers);
    }
  } finally {
    globalThis.fetch = send;
  }
  const seen = browsers.flatMap((browser) => browser.seen);
  const addresses = [
    ...seen.flatMap(({ url, answer }) => [url, String(answer.headers.location ?? '')]),
    ...providers.one.requests,
    ...providers.two.requests,
  ];
  const verifiers = sent.flatMap((body) => valuesOf(body, 'code_verifier'));
  const [codes, states, nonces] = ['code', 'state', 'nonce'].map((name) => [
    ...new Set(addresses.flatMap((address) => valuesOf(address, name))),
  ]);
  expect([tokens.length > 12, verifiers.length, codes!.length >= 6, states!.length >= 6, nonces!.length >= 6]).toEqual([
    true,
    6,
    true,
    true,
    true,
  ]);

  const written = [...logged, ...events].join('\n');
  const answers = seen
    .filter(({ url }) => url.startsWith(API))
    .map(({ answer }) => answer.text)
    .join('\n');
  const all = [...tokens, ...verifiers, ...codes!, ...states!, ...nonces!];
  expect(all.filter((secret) => written.includes(secret))).toEqual([]);
  expect([...tokens, ...verifiers, ...codes!].filter((secret) => answers.includes(secret))).toEqual([]);
  // What a page may use is in no address; a ticket is none.
  expect([...tokens, ...verifiers].filter((secret) => addresses.some((address) => address.includes(secret)))).toEqual([]);
  // The answer of a provider brings code and state to the callback, and nowhere else after it.
  const elsewhere = addresses.filter((address) => codes!.some((code) => address.includes(code)) && !address.includes('/callback?'));
  expect(elsewhere).toEqual([]);
  const stored = await shop.db.collections().then((collections) => Promise.all(collections.map((one) => one.find().toArray())));
  expect(all.filter((secret) => JSON.stringify(stored).includes(secret))).toEqual([]);
  expect(events.length).toBeGreaterThan(0);
});

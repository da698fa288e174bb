import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserClient, logInAtProvider, startChangeable, startOidcProvider, type OidcServer } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGuide, type RunningGuide } from './running-guide.ts';

const guide = readFileSync(new URL('../../../docs/guides/oauth.md', import.meta.url), 'utf8');
const block = (title: string): string => String(new RegExp(`^\`\`\`\\w+ ${title}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1]);

const SECRET = randomBytes(24).toString('base64url');
let running: RunningGuide;
let url: string;
let provider: OidcServer;
beforeAll(async () => {
  const free = await startChangeable();
  await free.stop();
  const origin = `http://127.0.0.1:${free.port}`;
  provider = await startOidcProvider([{ client_id: 'shop', client_secret: SECRET, redirect_uris: [`${origin}/oauth/company/callback`] }]);
  running = await startGuide(block('app.js'), {
    PORT: String(free.port),
    ORIGIN: origin,
    ISSUER: provider.issuer,
    CLIENT_SECRET: SECRET,
    AUTH_SECRET: randomBytes(48).toString('base64'),
  });
  ({ url } = running);
});
afterAll(async () => {
  await running.stop();
  await provider.stop();
});

it('the application and the page of the guide about logins with others do what it says', async () => {
  const page = await logInAtProvider(new BrowserClient(), `${url}/oauth/company?redirect=/orders`, 'ann');
  expect(page.url).toMatch(/^https:\/\/app\.example\.com\/orders#access_token=oauth-ticket\./);
  const { hash } = new URL(page.url);
  const file = join(running.folder, 'page.js');
  writeFileSync(file, `export default async (location, history, fetch) => { ${block('page.js')}; return login; };`);
  const { default: run } = (await import(file)) as { default: (...args: unknown[]) => Promise<unknown> };
  const replaced: unknown[] = [];
  const login = await run(
    { hash, pathname: '/orders' },
    { replaceState: (...args: unknown[]) => replaced.push(args) },
    (path: string, options: RequestInit) => fetch(`${url}${path}`, options),
  );
  expect(login).toMatchObject({
    user: { companyId: 'ann', name: 'ann' },
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
  });
  expect(replaced).toEqual([[null, '', '/orders']]);
});

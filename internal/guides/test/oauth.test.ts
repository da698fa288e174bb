import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserClient, logInAtProvider, startChangeable, startOidcProvider, type OidcServer } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const guide = readFileSync(new URL('../../../docs/guides/oauth.md', import.meta.url), 'utf8');
const block = (title: string): string => String(new RegExp(`^\`\`\`\\w+ ${title}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1]);

const SECRET = randomBytes(24).toString('base64url');
let folder: string;
let server: ChildProcess;
let url: string;
let provider: OidcServer;
beforeAll(async () => {
  const free = await startChangeable();
  await free.stop();
  const origin = `http://127.0.0.1:${free.port}`;
  provider = await startOidcProvider([{ client_id: 'shop', client_secret: SECRET, redirect_uris: [`${origin}/oauth/company/callback`] }]);
  // Beside the tests, where the packages are installed.
  folder = mkdtempSync(join(import.meta.dirname, 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'app.js'), block('app.js'));
  const more = {
    PORT: String(free.port),
    ORIGIN: origin,
    ISSUER: provider.issuer,
    CLIENT_SECRET: SECRET,
    AUTH_SECRET: randomBytes(48).toString('base64'),
  };
  server = spawn(process.execPath, ['app.js'], { cwd: folder, env: { ...process.env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  url = await new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`));
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    server.once('exit', () => reject(new Error(output)));
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  await provider.stop();
  rmSync(folder, { recursive: true });
});

it('the application and the page of the guide about logins with others do what it says', async () => {
  const page = await logInAtProvider(new BrowserClient(), `${url}/oauth/company?redirect=/orders`, 'ann');
  expect(page.url).toMatch(/^https:\/\/app\.example\.com\/orders#access_token=oauth-ticket\./);
  const { hash } = new URL(page.url);
  const file = join(folder, 'page.js');
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

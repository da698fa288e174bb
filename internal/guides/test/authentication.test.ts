import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGuide, type RunningGuide } from './running-guide.ts';

const guide = readFileSync(new URL('../../../docs/guides/authentication.md', import.meta.url), 'utf8');

/** The code blocks whose first line has this title. */
function blocks(title: string): string[] {
  return [...guide.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].filter((match) => match[2] === title).map((match) => match[3] as string);
}

let running: RunningGuide;
let folder: string;
let server: RunningGuide['server'];
let url: string;
beforeAll(async () => {
  // What the guide does on the server is done when a signal asks for it, and told.
  const machines = `process.on('SIGUSR2', async () => {
    const [user] = await app.service('users').find({ query: { email: 'ann@example.com' }, paginate: false });
    ${String(blocks('machines')[0])}
    console.log(JSON.stringify({ accessToken, key, id }));
  });`;
  const news = "app.use('news', { find: async ({ user }) => ({ reader: user?.email ?? 'nobody' }) });";
  const parts = [blocks('app.js')[0], blocks('events')[0], blocks('limiter')[0], news, blocks('optional')[0], machines];
  running = await startGuide(parts.join('\n'), { PORT: '0', AUTH_SECRET: randomBytes(48).toString('base64') });
  ({ folder, server, url } = running);
});
afterAll(() => running.stop());

it('the commands of the authentication guide do what it says', async () => {
  const script = `set -e\n${blocks('run').join('\necho\n')}`.replaceAll('localhost:3030', url);
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
  const lines = stdout.split('\n').filter((line) => line !== '');
  expect(JSON.parse(lines[0] as string)).toEqual({ _id: expect.any(String), email: 'ann@example.com' });
  expect(stdout).toContain('"item":"tea"');
  expect(stdout).toContain('<h1>Hello ann@example.com</h1>');
  expect(stdout).toContain('without a token: 401');
  expect(stdout).toContain('with the new token: 200');
  expect(stdout).toMatch(/\[\{"id":"[\w-]{22}".*"current":true\}\]/);
  expect(stdout).toContain('logged out: 200');
  expect(stdout).toContain('after that: 401');
  const login = JSON.parse(readFileSync(join(folder, 'login.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(login).sort()).toEqual(['accessToken', 'authentication', 'refreshToken', 'user']);
  expect(login.user).not.toHaveProperty('password');
});

it('a service whose login may be missing knows who has one, and takes no wrong one', async () => {
  const credentials = { strategy: 'local', email: 'ann@example.com', password: 'correct horse' };
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/authentication`, { method: 'POST', headers, body: JSON.stringify(credentials) });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const read = (token?: string): Promise<Response> =>
    fetch(`${url}/news`, { headers: { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) } });
  expect(await (await read()).json()).toEqual({ reader: 'nobody' });
  expect(await (await read(accessToken)).json()).toEqual({ reader: 'ann@example.com' });
  expect((await read(`${accessToken}x`)).status).toBe(401);
});

it('the tokens and keys for machines of the guide do what they are for', async () => {
  const told = new Promise<string>((resolve) => server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())));
  server.kill('SIGUSR2');
  const { accessToken, key, id } = JSON.parse(await told) as { accessToken: string; key: string; id: string };
  const status = async (method: string, path: string, headers: Record<string, string>): Promise<number> => {
    const body = method === 'POST' ? { body: '{"item":"coffee"}' } : {};
    return (await fetch(`${url}${path}`, { method, headers: { 'content-type': 'application/json', ...headers }, ...body })).status;
  };
  const token = { authorization: `Bearer ${accessToken}` };
  expect([await status('GET', '/orders', token), await status('POST', '/orders', token)]).toEqual([200, 403]);
  const keyed = { 'x-api-key': key };
  expect([await status('GET', '/orders', keyed), await status('POST', '/orders', keyed)]).toEqual([200, 201]);
  expect(await status('GET', '/authentication/sessions', keyed)).toBe(403);
  expect(key).toContain(id);
}, 30_000);

it('the guide names packages that exist', () => {
  const [install = ''] = blocks('install');
  const used = [...String(blocks('app.js')[0]).matchAll(/from '([^']+)'/g)].map((match) => match[1] as string);
  for (const name of used) expect(install).toContain(name);
});

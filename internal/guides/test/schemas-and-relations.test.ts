import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const guide = readFileSync(new URL('../../../docs/guides/schemas-and-relations.md', import.meta.url), 'utf8');

/** The code blocks whose first line has this title. */
function blocks(title: string): string[] {
  return [...guide.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].filter((match) => match[2] === title).map((match) => match[3] as string);
}

/** What a post has besides. */
const OWN = { _id: expect.any(String), id: 1, public: true, authorId: 1, readerIds: [1, 2] };

let folder: string;
let server: ChildProcess;
let url: string;
beforeAll(async () => {
  // Beside the tests, where the packages are installed.
  folder = mkdtempSync(join(import.meta.dirname, 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'app.js'), String(blocks('app.js')[0]));
  const env = { ...process.env, PORT: '0' };
  server = spawn(process.execPath, ['app.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  url = await new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    server.once('exit', () => reject(new Error(output)));
  });
}, 30_000);
afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});

it('the commands of the guide to relations do what it says', async () => {
  const script = `set -e\n${blocks('run').join('\necho\n')}`.replaceAll('localhost:3030', url).replaceAll('\ncurl', '\necho\ncurl');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
  const lines = stdout.split('\n').filter((line) => line !== '');
  expect(JSON.parse(lines[0] as string)).toEqual([
    { ...OWN, text: 'Hello', byline: 'by Ann', author: { _id: expect.any(String), id: 1, name: 'Ann' } },
  ]);
  expect(JSON.parse(lines[1] as string)).toEqual({
    id: 1,
    text: 'Hello',
    readers: [
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bob' },
    ],
  });
  expect(JSON.parse(lines[2] as string)).toMatchObject({ code: 400, errors: [{ path: '$populate.editor' }] });
  const [toAdmin, toOthers] = lines.slice(3, 5).map((line) => JSON.parse(line) as { salary?: number }[]);
  expect(toAdmin).toMatchObject([{ name: 'Ann', salary: 50 }, { name: 'Bob' }]);
  expect(toOthers?.[0]).not.toHaveProperty('salary');
  expect(stdout).not.toMatch(/hash|secret/);
  expect(lines.slice(5)).toEqual(['ask for a salary: 400', 'write to a post of another: 403']);
}, 30_000);

it('drafts of the guide are for who has written them, by each method, and what a caller asks for holds besides', async () => {
  const ask = async (path: string, user: string, method = 'GET'): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { method, headers: { accept: 'application/json', 'x-user': user } });
    const body = (await answer.json()) as { readonly id?: number } | readonly { readonly id: number }[];
    return Array.isArray(body) ? body.map(({ id }) => id) : answer.status;
  };
  expect([await ask('/posts/2', '2'), await ask('/posts/2', '1')]).toEqual([200, 404]);
  expect([await ask('/posts', '2'), await ask('/posts', '1'), await ask('/posts?$and[0][text]=Draft', '2')]).toEqual([[1, 2], [1], [2]]);
  expect([await ask('/posts/2', '1', 'DELETE'), await ask('/users/1', '1', 'DELETE')]).toEqual([405, 405]);
});

it('the guide names packages that exist', () => {
  const [install = ''] = blocks('install');
  const used = [...String(blocks('app.js')[0]).matchAll(/from '([^']+)'/g)].map((match) => match[1] as string);
  for (const name of used) expect(install).toContain(name);
});

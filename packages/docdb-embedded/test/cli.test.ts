import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('../bin/framework-docdb.js', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framework-docdb-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command until it ends by itself. */
async function run(args: readonly string[], env: object = {}): Promise<{ code: unknown; told: string; printed: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let told = '';
  let printed = '';
  child.stderr.on('data', (text: Buffer) => (told += text.toString()));
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, told, printed };
}

it.each([
  ['--prot 1', ['--prot', '1'], /--prot/],
  ['an argument without a name', ['27018'], /27018/],
  ['a port that is none', ['--port', '99999'], /--port takes a number from 0 to 65535, not '99999'/],
  ['an unknown policy', ['--sync', 'often'], /--sync takes always, interval or never/],
  ['a size that is none', ['--max-size', '1GB'], /--max-size takes a number of bytes/],
  ['a certificate without a key', ['--tls-cert', 'a.pem'], /--tls-cert and --tls-key need each other/],
])('arguments that can not be meant end with 2, and a sentence: %s', async (_what, args, sentence) => {
  const { code, told, printed } = await run(args);
  expect({ code, printed }).toEqual({ code: 2, printed: '' });
  expect(told).toMatch(sentence);
});

it('a server that can not start ends with 1', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'no folder');
  const { code, told, printed } = await run(['--port', '0', '--path', file]);
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(told).not.toBe('');
});

it('the help says how it ends', async () => {
  const { code, told, printed } = await run(['--help']);
  expect({ code, told }).toEqual({ code: 0, told: '' });
  expect(printed).toContain('Ends with 1 when the server can not start, and with 2 for arguments that can not be meant.');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
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
  ['a port that is an empty text', ['--port', ''], /--port takes a number from 0 to 65535, not ''/],
  ['a port that is no number as one writes it', ['--port', '0x50'], /--port takes a number from 0 to 65535, not '0x50'/],
  ['a folder without a name', ['--port', '0', '--path', ''], /--path takes the name of a folder/],
  ['an unknown policy', ['--sync', 'often'], /--sync takes always, interval or never/],
  ['a size that is none', ['--max-size', '1GB'], /--max-size takes a number of bytes/],
  ['a certificate without a key', ['--tls-cert', 'a.pem'], /--tls-cert and --tls-key need each other/],
])('arguments that can not be meant end with 2, and a sentence: %s', async (_what, args, sentence) => {
  const { code, told, printed } = await run(args);
  expect({ code, printed }).toEqual({ code: 2, printed: '' });
  expect(told).toMatch(sentence);
});

it('a server that can not start ends with 1, and a sentence', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'no folder');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const cases: [string[], string][] = [
    [['--path', file], `The folder ${file} can not be used: it is a file. Choose another folder`],
    [['--path', join(file, 'x')], `The folder ${join(file, 'x')} can not be used: what it would be in is a file. Choose another folder`],
    [
      ['--port', String(port)],
      `The port ${String(port)} of 127.0.0.1 is in use. Stop what listens there, or take another port (0 for a free one)`,
    ],
  ];
  // A file system that says of what it does not make that it is not there.
  if (process.platform === 'linux')
    for (const path of ['/proc/x', '/proc/x/y/z'])
      cases.push([['--path', path], `The folder ${path} can not be used: no folder can be made there. Choose another folder`]);
  for (const [args, sentence] of cases) {
    expect([args, await run(['--port', '0', ...args])]).toEqual([args, { code: 1, printed: '', told: `${sentence}\n` }]);
  }
  taken.close();
}, 60_000);

it('the help, and what is said of a wrong argument, need no server', async () => {
  for (const args of [['--help'], ['--port', 'x']]) {
    const loaded = await mkdtemp(join(folder, 'loaded-'));
    await run(args, { NODE_V8_COVERAGE: loaded });
    const [name = ''] = await readdir(loaded);
    const { result } = JSON.parse(await readFile(join(loaded, name), 'utf8')) as { result: { url: string }[] };
    const files = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    expect(files.map((url) => basename(url)).sort()).toEqual(['cli.js', 'framework-docdb.js', 'shared.js']);
  }
});

it('the help says how it ends', async () => {
  const { code, told, printed } = await run(['--help']);
  expect({ code, told }).toEqual({ code: 0, told: '' });
  expect(printed).toContain('Ends with 1 when the server can not start, and with 2 for arguments that can not be meant.');
});

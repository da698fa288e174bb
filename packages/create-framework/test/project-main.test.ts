import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { projectFiles } from '../src/index.ts';
import { options } from './options.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-main-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runtimes differ in what their way to read such a file does with variables that are set: this is the one of Deno 2. */
const OVERWRITING = `import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
process.loadEnvFile = (file) => Object.assign(process.env, parseEnv(readFileSync(file, 'utf8')));`;

it.each([
  ['as Node.js reads files of variables', ''],
  ['as Deno reads them', OVERWRITING],
])('what the environment says counts more than .env, %s', (_how, before) => {
  const files = projectFiles(options({ language: 'js' }), '');
  for (const file of ['package.json', 'src/main.js']) write(file, files.get(file) ?? '');
  write('.env', 'PORT=3030\nOF_THE_FILE=there\n');
  write(
    'src/app.js',
    'export const createApp = () => ({ async listen(port) { console.log(port, process.env.OF_THE_FILE); return { address: () => null }; } });',
  );
  write('node_modules/@framework/transport-express/package.json', '{ "type": "module", "exports": "./index.js" }');
  write('node_modules/@framework/transport-express/index.js', 'export const shutdownOn = () => undefined;');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(before)}`, 'src/main.js'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PORT: '0' },
    },
  );
  expect([stdout.split('\n')[0], stderr]).toEqual(['0 there', '']);
});

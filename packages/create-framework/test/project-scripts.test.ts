import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { projectFiles } from '../src/index.ts';
import { options } from './options.ts';

const TEST = `import test from 'node:test';\ntest('passes', () => {});\n`;
const binaries = join(import.meta.dirname, '../../../node_modules/.bin');
let folder: string;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runs the script of a project that its manifest has under a name. */
function run(name: string): { status: number | null; said: string } {
  const manifest: unknown = JSON.parse(projectFiles(options(), '').get('package.json') ?? '');
  const scripts = (manifest as { readonly scripts: Readonly<Record<string, string>> }).scripts;
  const env = { ...process.env, PATH: [binaries, dirname(process.execPath), process.env.PATH].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(scripts[name] ?? '', { shell: true, cwd: folder, env, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

// Beside the sources, so that types are found.
beforeEach(() => {
  folder = mkdtempSync(join(import.meta.dirname, 'scripts-'));
  for (const file of ['tsconfig.json', 'package.json']) write(file, projectFiles(options(), '').get(file) ?? '');
  write('src/app.ts', 'export {};\n');
  write('test/notes.test.ts', TEST);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the tests of a project in TypeScript', () => {
  it('are those that are there: not what was compiled of one that is removed', () => {
    write('test/messages.test.ts', TEST.replace('() => {}', `() => { throw new Error('There are no messages any more'); }`));
    expect(run('test')).toEqual({ status: 1, said: expect.stringContaining('There are no messages any more') });
    rmSync(join(folder, 'test/messages.test.ts'));
    const { status, said } = run('test');
    expect(said).not.toContain('There are no messages any more');
    expect(said).toMatch(/tests 1\b/);
    expect(status).toBe(0);
    // The next build is whole.
    expect(run('build').status).toBe(0);
    expect(existsSync(join(folder, 'dist/src/app.js'))).toBe(true);
  });
});

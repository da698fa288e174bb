import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const runner = pathToFileURL(join(import.meta.dirname, '../../../scripts/run-child.mjs')).href;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-child-'));
  writeFileSync(join(folder, 'run.mjs'), `import { runChild } from '${runner}'; runChild(['server.mjs'], import.meta.dirname);`);
  // Tells what ends it; what nobody ends goes by itself.
  writeFileSync(
    join(folder, 'server.mjs'),
    `process.on('SIGTERM', () => { console.log('told to end'); setTimeout(() => process.exit(7), 50); });
     setTimeout(() => { console.log('left alone'); process.exit(0); }, 4000);
     console.log('started');`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the program as npm does, by a shell, ends the shell, and gives what the program has printed until it ended. */
function endShell(env: NodeJS.ProcessEnv, at = 'started'): Promise<string> {
  // A shell that has more to do stays.
  const shell = spawn('sh', ['-c', 'node run.mjs; true'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  return new Promise((resolve) => {
    shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (!printed.includes(at) && `${printed}${chunk}`.includes(at)) shell.kill('SIGTERM');
      printed += chunk;
    });
    shell.stdout.on('close', () => {
      resolve(printed);
    });
  });
}

const runs = process.platform === 'win32' ? describe.skip : describe;

runs('a program that was started by a shell that ends', () => {
  it('ends too where npm has started it', async () => {
    expect(await endShell({ npm_lifecycle_event: 'start' })).toBe('started\ntold to end\n');
  });

  it('is not begun where that was while npm still built it', async () => {
    const building =
      "console.log('building'); while (process.ppid === parent) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);";
    const run = `const parent = process.ppid; ${building} runChild(['server.mjs'], import.meta.dirname);`;
    writeFileSync(join(folder, 'run.mjs'), `import { runChild } from '${runner}'; ${run}`);
    expect(await endShell({ npm_lifecycle_event: 'start' }, 'building')).toBe('building\n');
  });

  it('goes on where a person has', async () => {
    expect(await endShell({})).toBe('started\nleft alone\n');
  });
});

it('gets signals, and its exit code is told', async () => {
  const parent = spawn(process.execPath, ['run.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  parent.stdout.once('data', () => parent.kill('SIGTERM'));
  expect(await new Promise((resolve) => parent.once('exit', resolve))).toBe(7);
});

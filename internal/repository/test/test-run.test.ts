import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const runner = join(root, 'scripts/jest.mjs');
const TESTS = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
`;

/** As `for (;;);` does, nothing runs in the process behind it; it leaves the processor to others. */
const BLOCKED = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-run-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"name":"leftover","type":"module"}');
  writeFileSync(join(folder, 'jest.config.js'), 'export default { testTimeout: 3_600_000, transform: {}, watchman: false };');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** How many times as long is waited, one after the other, where the machine is too busy. */
const PATIENCE = [1, 5, 25];
const environment = (minutes: string): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, TEST_MINUTES: minutes });
/** Runs: what was killed and whose parent has not noticed yet does not. */
function isAlive(pid: number): boolean {
  if (process.platform !== 'linux') return spawnSync('kill', ['-0', String(pid)]).status === 0;
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
const pidOf = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'));

it('whoever reads what tests print is not kept waiting by processes that they leave', async () => {
  writeFileSync(
    join(folder, 'leaves.test.js'),
    `${TESTS}it('leaves two', () => {
       for (const detached of [false, true]) {
         const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3_600_000)'], { stdio: 'inherit', detached });
         child.unref();
         writeFileSync(detached ? 'far' : 'near', String(child.pid));
       }
       expect('this is printed').toBe('');
     });`,
  );
  const child = spawn(process.execPath, [runner], { cwd: folder, env: environment('10'), stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  // Closed: nobody holds the streams any more.
  const code = await new Promise((resolve) => child.once('close', resolve));
  const [near, far] = [isAlive(pidOf('near')), isAlive(pidOf('far'))];
  process.kill(pidOf('far'));
  expect([code, near, far]).toEqual([1, false, true]);
  expect(printed).toContain('this is printed');
});

it('tests that hang are ended with what they have started, and counted as failed', () => {
  writeFileSync(
    join(folder, 'hangs.test.js'),
    `${TESTS}it('hangs', () => {
       writeFileSync('near', String(spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3_600_000)'], { stdio: 'inherit' }).pid));
       ${BLOCKED}
     });`,
  );
  // On a machine that is busy a run can take longer than that to come to its test.
  for (const minutes of PATIENCE.map((times) => String(0.1 * times))) {
    const { status, stderr } = spawnSync(process.execPath, [runner], { cwd: folder, env: environment(minutes), encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(`The tests of leftover said nothing for ${minutes} minutes, and did not end`);
    if (existsSync(join(folder, 'near'))) break;
  }
  expect(JSON.parse(readFileSync(join(folder, '.test-results/default.json'), 'utf8'))).toMatchObject({ passed: 0, failed: 1 });
  expect(isAlive(pidOf('near'))).toBe(false);
});

it('tests are not ended that say something, however long all of them take', () => {
  const names = ['a', 'b', 'c', 'd'];
  // Of each file a third of the time in which something has to be said: all of them take longer than that.
  const ended = PATIENCE.map((times) => () => {
    for (const name of names)
      writeFileSync(
        join(folder, `${name}.test.js`),
        `${TESTS}it('takes a part of the time', async () => {
           await new Promise((resolve) => setTimeout(resolve, ${String(4000 * times)}));
           expect(writeFileSync('${name}', '')).toBe(undefined);
         });`,
      );
    return spawnSync(process.execPath, [runner, '--runInBand'], { cwd: folder, env: environment(String(0.2 * times)) }).status;
  });
  expect(ended.some((run) => run() === 0)).toBe(true);
  expect(names.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
});

describe('tests that are interrupted', () => {
  const DEAF = "for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);";
  const GOES_ON = `${TESTS}it('goes on', () => {
       const child = spawn(process.execPath, ['-e', ${JSON.stringify(`${DEAF} setTimeout(() => {}, 3_600_000)`)}]);
       writeFileSync('itself', String(process.pid));
       writeFileSync('near', String(child.pid));
       ${BLOCKED}
     });`;

  async function whileItGoesOn(): Promise<ChildProcess> {
    writeFileSync(join(folder, 'goes-on.test.js'), GOES_ON);
    // What listens in a test hears no signals, and what the configuration does is done by Jest's own process.
    writeFileSync(join(folder, 'jest.config.js'), `${DEAF} export default { testTimeout: 3_600_000 };`);
    const child = spawn(process.execPath, [runner], { cwd: folder, env: environment('10'), stdio: 'ignore' });
    while (!existsSync(join(folder, 'near')) || pidOf('near') === 0) await setTimeout(20);
    return child;
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('end with all that they have started, by %s', async (signal) => {
    const child = await whileItGoesOn();
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    // What a killed process held is closed, and who sees that is killed: it ends, or the test hangs.
    while (isAlive(pidOf('itself')) || isAlive(pidOf('near'))) await setTimeout(20);
    expect(code).toBe({ SIGINT: 1, SIGTERM: 1, SIGKILL: null }[signal]);
  });
});

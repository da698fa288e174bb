import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';

const script = join(import.meta.dirname, '../../../scripts/stall.mjs');
/** Says who it is, and each time that it goes on after it was stopped. */
const TOLD = 'console.log(process.pid); process.on("SIGCONT", () => console.log("on")); setInterval(() => undefined, 1000);';
const AROUND = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(TOLD)}], { stdio: "inherit" });`;

it('stops what a process has started, and lets it go on in the end', async () => {
  if (process.platform !== 'linux') {
    const [code] = (await once(fork(script, ['2'], { silent: true }), 'exit')) as [number];
    expect(code).toBe(1);
    return;
  }
  // A group of its own, so that it is ended with what it has started.
  const around = spawn(process.execPath, ['-e', AROUND], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  around.stdout.on('data', (text: Buffer) => (told += text.toString()));
  const stall = fork(script, [String(around.pid)]);
  while (told.split('on').length <= 5) await setImmediate();
  // Ended while it holds the process: what is stopped would not end.
  while (stateOf(Number.parseInt(told)) !== 'T') await setImmediate();
  stall.disconnect();
  expect(await once(stall, 'exit')).toEqual([0, null]);
  process.kill(-around.pid!, 'SIGTERM');
  expect(await once(around, 'close')).toEqual([null, 'SIGTERM']);
});

/** @returns `T` for a process that is stopped */
function stateOf(pid: number): string | undefined {
  return readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[0];
}

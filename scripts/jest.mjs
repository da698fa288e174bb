// The `test` script of every package: runs Jest in the package's folder, with the same arguments. Where nobody looks on, `TEST_MINUTES`
// is the longest that it may say nothing, and it says something of each file of tests: what is silent for longer hangs, and is ended and counted as failed.
// How long all of them take says more about what else the machine does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './pnpm.mjs';
import { variantOf, writeTestResults } from './test-results.mjs';

const minutes = Number(process.env.TEST_MINUTES ?? Infinity);
if (!(minutes > 0)) throw new Error(`TEST_MINUTES is a number above 0, and not ${process.env.TEST_MINUTES}`);
const limited = Number.isFinite(minutes);
/** Milliseconds that are waited for the rest of what was printed, when a process outside of the group holds the stream. */
const LEFT_OVER = 2_000;
/** Milliseconds in which tests may end by themselves when they are interrupted: less than Turborepo gives to this process. */
const LAST_WORDS = 250;

const jest = limited ? join(root, 'scripts/jest-process.mjs') : createRequire(join(root, 'package.json')).resolve('jest/bin/jest');
const flags = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];
// A group of its own: all that the tests have started can be ended with it. What they print is passed on: a process that is left over and holds
// the streams of this one would keep whoever reads them waiting after it has ended.
const stdio = limited ? ['inherit', 'pipe', 'pipe', 'pipe'] : 'inherit';
const child = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], { stdio, detached: limited });
for (const [from, to] of [
  [child.stdout, process.stdout],
  [child.stderr, process.stderr],
])
  from?.on('data', heard).pipe(to);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interrupt(signal));
const timer = limited ? setTimeout(giveUp, minutes * 60_000) : undefined;
const printed = once(child, 'close');
const [code, signal] = await once(child, 'exit');
clearTimeout(timer);
if (limited) {
  end('SIGKILL');
  await Promise.race([printed, wait(LEFT_OVER)]);
}
process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));

function heard() {
  timer?.refresh();
}

function giveUp() {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
  const what = `said nothing for ${minutes} minutes, and did not end`;
  console.error(`The tests of ${name} ${what}`);
  const variant = variantOf(process.env);
  writeTestResults(process.cwd(), variant.file, { name: name + variant.name, passed: 0, failed: 1, broken: [what], notes: [], tests: [] });
  end('SIGKILL');
}

function interrupt(signal) {
  end(signal);
  if (limited) setTimeout(end, LAST_WORDS, 'SIGKILL');
}

function end(signal) {
  try {
    if (limited) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    // It has ended in this moment.
    if (error.code !== 'ESRCH') throw error;
  }
}

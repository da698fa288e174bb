// Runs the whole suite again and again, to find tests that depend on the moment: `node scripts/repeat-tests.mjs --runs 20 --load` keeps
// every core busy beside it, `--stall` stops its processes at random moments. It goes on where it was ended, as long as the commit is the
// same; `--minutes` starts no further run after that time, `--filter` takes one package. Prints a table, and fails when a test of any run has.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from './pnpm.mjs';
import { readTestResults } from './test-results.mjs';

/** A run that takes longer hangs. */
const LONGEST = 60 * 60_000;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    minutes: { type: 'string', default: 'Infinity' },
    load: { type: 'boolean', default: false },
    stall: { type: 'boolean', default: false },
    filter: { type: 'string' },
  },
});
const [wanted, minutes] = [Number(options.runs), Number(options.minutes)];
if (!(Number.isInteger(wanted) && wanted > 0 && minutes > 0)) throw new Error('--runs and --minutes are numbers above 0');

const begun = performance.now();
const what = {
  commit: run('git', ['rev-parse', 'HEAD']).trim(),
  load: options.load,
  stall: options.stall,
  filter: options.filter ?? 'all',
};
const file = join(root, '.repeat', 'runs.json');
const runs = readRuns();
while (runs.length < wanted && performance.now() - begun < minutes * 60_000) {
  runs.push(await oneRun());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...what, runs }));
  const { minutes: took, failed } = runs.at(-1);
  console.log(`run ${runs.length} of ${wanted}: ${took} minutes, ${failed.length} failed`);
}
if (runs.length > 0) report();
const bad = runs.filter(({ ended, failed }) => !ended || failed.length > 0).length;
console.log(`${runs.length} of ${wanted} runs, ${bad} with failures`);
process.exitCode = bad === 0 && runs.length === wanted ? 0 : 1;

/** Those of the same commit, made in the same way. */
function readRuns() {
  if (!existsSync(file)) return [];
  const { runs: known, ...made } = JSON.parse(readFileSync(file, 'utf8'));
  return JSON.stringify(made) === JSON.stringify(what) ? known : [];
}

async function oneRun() {
  const busy = options.load ? Array.from({ length: availableParallelism() }, () => fork(join(root, 'scripts/busy.mjs'))) : [];
  const start = performance.now();
  const filter = options.filter === undefined ? [] : [`--filter=${options.filter}`];
  const suite = spawn(process.execPath, [join(root, 'scripts/bootstrap.mjs'), 'test', '--force', ...filter], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const stall = options.stall ? [fork(join(root, 'scripts/stall.mjs'), [String(suite.pid)])] : [];
  const status = await ended(suite);
  for (const child of [...busy, ...stall]) child.kill();
  const results = readTestResults(root);
  const tests = results.flatMap((result) => result.tests);
  return {
    minutes: Math.round((performance.now() - start) / 6000) / 10,
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: tests.filter((test) => test.status === 'failed').map((test) => `${test.file}: ${test.title}`),
    // A run whose packages have not all written results says so by its status.
    ended: status === 0 || tests.some((test) => test.status === 'failed'),
  };
}

/** The status of a process that was started with a group of its own; one that hangs is ended with all that it has started. */
async function ended(child) {
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), LONGEST);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code;
}

function report() {
  console.table(
    runs.map(({ minutes: took, passed, failed, ended }) => ({ minutes: took, passed, failed: ended ? failed.length : 'did not end' })),
  );
  for (const name of new Set(runs.flatMap(({ failed }) => failed))) console.log(`failed: ${name}`);
}

// Does all set-up on a machine that has only Node and npm: installs with the pinned pnpm, builds, then starts an example,
// runs all tests or serves the documentation. Used by `npm start`, `npm test` and `npm run docs`, and by `npm start` of examples.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pnpmCommand, root } from './pnpm.mjs';
import { runChild } from './run-child.mjs';
import { summarize } from './summarize-tests.mjs';
import { removeTestResults } from './test-results.mjs';

process.env.TURBO_TELEMETRY_DISABLED = '1';
const windows = process.platform === 'win32';

function pnpm(args, { quiet = false } = {}) {
  const [program, ...first] = pnpmCommand();
  const result = spawnSync(program, [...first, ...args], {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    shell: windows,
  });
  if (quiet && result.status !== 0) process.stderr.write(`${result.stdout}${result.stderr}`);
  return result.status ?? 1;
}

function install() {
  const lock = join(root, 'pnpm-lock.yaml');
  const done = join(root, 'node_modules', '.modules.yaml');
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing dependencies …');
  exitOn(pnpm(['install', '--frozen-lockfile'], { quiet: true }));
}

function build(filter) {
  console.log('Building …');
  exitOn(pnpm(['exec', 'turbo', 'run', 'build', '--output-logs=errors-only', ...(filter ? [`--filter=${filter}`] : [])], { quiet: true }));
}

function exitOn(status) {
  if (status !== 0) process.exit(status);
}

function start() {
  install();
  build('@framework-examples/rest-api');
  runChild(['dist/main.js'], join(root, 'examples/rest-api'));
}

/** Starts another example, by the name of its folder. */
function example([name]) {
  install();
  build(`@framework-examples/${name}`);
  runChild(['dist/main.js'], join(root, 'examples', name));
}

/** Serves the documentation, and shows its pages again when they are written. */
function docs() {
  install();
  build('./packages/*');
  runChild(['src/main.mjs', 'serve'], join(root, 'internal/site'));
}

/** Results count for the machine that gave them: its Node.js, and whether the data beside the checkout are there. */
function describeMachine() {
  const beside = ['data', 'spec'].filter((name) => existsSync(join(root, '..', 'shared', name)));
  return [process.version, process.platform, ...beside].join(' ');
}

/** Runs what has changed since it passed (`-- --force` runs all of it). */
function test(options) {
  install();
  removeTestResults(root);
  process.env.TEST_MACHINE = describeMachine();
  // For each package: what hangs ends, and is named.
  process.env.TEST_MINUTES ??= '20';
  // In a new checkout beside the builds, which do not keep all cores busy.
  spawn(process.execPath, [join(root, 'scripts/compile-tests.mjs'), '--once'], { stdio: 'ignore' });
  // One more than two cores have: many tests wait for a child process, a socket or a disk.
  const tasks = ['build', 'test', 'test:express4', 'test:express-dispatch'];
  const status = pnpm(['exec', 'turbo', 'run', ...tasks, '--continue', '--concurrency=3', '--output-logs=errors-only', ...options]);
  const { failed } = summarize(root);
  process.exit(status === 0 && failed === 0 ? 0 : 1);
}

const commands = { start, example, test, docs };
const command = commands[process.argv[2]];
if (!command) {
  console.error(`Usage: node scripts/bootstrap.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
command(process.argv.slice(3));

// Runs the suites of other packages that talk to a MongoDB server, as their releases on npm carry them, and prints a table.
//   node test/suites/run.mjs [sharedb-mongo mongoose-sequence …]
// DOCDB_URL names another server. A suite of which fewer tests pass than suites.mjs says fails; what it printed is shown.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { suites } from './suites.mjs';

/** Minutes after which a suite is taken for one that hangs. */
const MINUTES = 10;
const TESTS = /^(?:tests?|__tests__)$/;
/** Addresses in files of tests: each stands for the one server that there is. */
const ADDRESS = /mongodb:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:,localhost:\d+)*/g;

/** What the tests use of mongodb-memory-server, in its releases up to 6. */
const MEMORY_SERVER = `
let made = 0;
class MongoMemoryServer {
  name = 'memory_' + process.pid + '_' + made++;
  async start() { return true; }
  async stop() { return true; }
  async getUri(name) { return 'mongodb://ADDRESS/' + (name || this.name); }
  async getConnectionString(name) { return this.getUri(name); }
}
module.exports = { default: MongoMemoryServer, MongoMemoryServer };
`;

const names = process.argv.slice(2);
const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
if (unknown !== undefined) throw new Error(`There is no suite ${unknown}: ${suites.map(({ name }) => name).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'suites-'));
const server = process.env.DOCDB_URL === undefined ? await startServer() : { url: process.env.DOCDB_URL, stop: () => undefined };
/** The server's address without what is behind it. */
const address = new URL(server.url).host;
const rows = [];
try {
  for (const suite of names.length > 0 ? suites.filter(({ name }) => names.includes(name)) : suites) rows.push(await runSuite(suite));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(['| suite | passed | failed |', '|---|---|---|', ...rows.map(({ row }) => row)].join('\n'));
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;

/** @param {import('./suites.mjs').Suite} suite */
async function runSuite(suite) {
  const { name, version, command, passes } = suite;
  const home = join(folder, name);
  mkdirSync(home);
  await install(suite, home);
  useServer(home, home);
  const [program, ...args] = command;
  const env = {
    ...process.env,
    PATH: [join(home, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    ...Object.fromEntries(Object.entries(suite.env ?? {}).map(([key, text]) => [key, text.replace('ADDRESS', address)])),
  };
  const { output } = await run(program, args, { cwd: home, env }, false);
  const passed = count(output, /(\d+) (?:passing|passed)\b/g);
  const failed = count(output, /(\d+) (?:failing|failed)\b/g);
  const ok = passed >= passes && failed === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} ${version}: ${passed} passed, ${failed} failed (${passes} are to pass)`);
  if (!ok) console.log(output);
  return { ok, row: `| ${name} ${version} | ${passed} | ${failed} |` };
}

/** The last number that a runner says of its tests: files of tests are counted in front of them. */
function count(output, pattern) {
  return Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
}

/** Unpacks a release and installs what it and its tests need; its scripts do not run. */
async function install({ name, version, needs, overrides }, home) {
  const npm = (...args) => run('npm', [...args, '--silent'], { cwd: home, env: process.env }, true);
  const { output } = await npm('pack', `${name}@${version}`);
  const packed = output.trim().split('\n').at(-1);
  await run('tar', ['xzf', packed, '--strip-components=1'], { cwd: home, env: process.env }, true);
  const file = join(home, 'package.json');
  const { devDependencies: _, scripts: __, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...rest, ...(overrides ? { overrides } : {}) }));
  rmSync(join(home, 'package-lock.json'), { force: true });
  await npm('install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--save-dev', ...needs);
}

/** Has the tests of a package ask the server, and gives those that start one of their own a package of that name. */
function useServer(home, inside, isTest = false) {
  for (const entry of readdirSync(inside, { withFileTypes: true })) {
    const path = join(inside, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') useServer(home, path, isTest || TESTS.test(entry.name));
    else if (entry.isFile() && isTest && path.endsWith('.js'))
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(ADDRESS, `mongodb://${address}`));
  }
  if (inside !== home) return;
  const memoryServer = join(home, 'node_modules/mongodb-memory-server');
  mkdirSync(memoryServer, { recursive: true });
  writeFileSync(join(memoryServer, 'index.js'), MEMORY_SERVER.replace('ADDRESS', address));
}

async function startServer() {
  const bin = join(import.meta.dirname, '../../bin/framework-docdb.js');
  const child = spawn(process.execPath, [bin, '--port', '0', '--sync', 'never'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface(child.stdout), 'line');
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}

/** @returns what a program printed. @throws Error where it fails and may not */
async function run(program, args, { cwd, env }, strict) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  const timer = setTimeout(() => child.kill('SIGKILL'), MINUTES * 60_000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  const output = Buffer.concat(parts).toString();
  if (strict && code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return { output };
}

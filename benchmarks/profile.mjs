// Where the time of a request goes: runs a server of `servers/` under Node's CPU profiler, and prints what took most of it. For example
// `node profile.mjs ours-authenticated`, or `node profile.mjs ours POST /items`.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logIn } from './measure/access-tokens.mjs';
import { requestsIn, send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';
import { table } from './measure/table.mjs';

const [name = 'ours-authenticated', method = 'GET', path = name.endsWith('authenticated') ? '/closed/1' : '/items/1'] =
  process.argv.slice(2);
const SECONDS = 6;
const SHOWN = 30;

async function record(folder) {
  const server = await startServer(name, { execArgv: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=150'] });
  const headers = name.endsWith('authenticated') ? { Authorization: `Bearer ${await logIn(server)}` } : {};
  const body = method === 'POST' ? '{"name":"Ann Example"}' : undefined;
  const expected = (await send(undefined, server.port, { method, path, headers, body })).status;
  await requestsIn(server, { method, path, headers, body }, expected, { milliseconds: SECONDS * 1000 });
  server.child.removeAllListeners('exit');
  const ended = new Promise((resolve) => server.child.once('exit', resolve));
  server.stop();
  await ended;
}

/** Time in each function itself, without what it calls, from the second half of the run. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const times = new Map();
  let total = 0;
  for (let index = samples.length >> 1; index < samples.length; index++) {
    const { functionName, url, lineNumber } = frames.get(samples[index]);
    if (functionName === '(idle)') continue;
    total += timeDeltas[index];
    const file = url.replace(/^.*\/node_modules\/(?!.*\/node_modules\/)/, '').replace(/^.*\/(?=packages\/|benchmarks\/)/, '');
    const key = `${functionName || '(anonymous)'} | ${file === '' ? '' : `${file}:${lineNumber + 1}`}`;
    times.set(key, (times.get(key) ?? 0) + timeDeltas[index]);
  }
  return [...times].sort((a, b) => b[1] - a[1]).map(([key, time]) => [key, time / total]);
}

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
try {
  await record(folder);
  // The profiles of worker threads are small beside that of the server.
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const profile = JSON.parse(files.sort((a, b) => b.length - a.length)[0]);
  const rows = selfTimes(profile)
    .slice(0, SHOWN)
    .map(([key, share]) => [`${(share * 100).toFixed(1)} %`, ...key.split(' | ')]);
  console.log(table([`${name}, ${method} ${path}`, 'function', 'where'], rows).join('\n'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

// Where the time of a request goes: runs a server of `servers/` under Node's CPU profiler, and prints what took most of it. For example
// `node profile.mjs ours-authenticated`, or `node profile.mjs ours POST /items`. PROFILE_TOKENS=unseen sends another token with each request.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logIn, unseenTokens } from './measure/access-tokens.mjs';
import { requestsIn, send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';
import { table } from './measure/table.mjs';

const [name = 'ours-authenticated', method = 'GET', path = name.endsWith('authenticated') ? '/closed/1' : '/items/1'] =
  process.argv.slice(2);
const SECONDS = 6;
const SHOWN = 60;
/** The calls that hand an answer to the system; which one it is depends on the version of Node.js. */
const SENDING = new Set(['writev', 'writeUtf8String', 'writeLatin1String']);

async function record(folder) {
  const server = await startServer(name, { execArgv: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=150'] });
  const token = name.endsWith('authenticated') ? await logIn(server) : undefined;
  const next = token && process.env.PROFILE_TOKENS === 'unseen' ? unseenTokens(token) : () => token;
  const body = method === 'POST' ? '{"name":"Ann Example"}' : undefined;
  const request = () => ({ method, path, headers: token ? { Authorization: `Bearer ${next()}` } : {}, body });
  const expected = (await send(undefined, server.port, request())).status;
  await requestsIn(server, request, expected, { milliseconds: SECONDS * 1000 });
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

/**
 * The same by whose code it is. Sending takes every server as long, so that a share beside that of sending says more than the share
 * alone, and two servers can be compared on a machine that others use.
 */
function byOwner(times) {
  const owners = new Map();
  for (const [key, share] of times) {
    const [name, where] = key.split(' | ');
    const owner = where === '' ? (SENDING.has(name) ? 'sending' : 'the engine') : ownerOf(where);
    owners.set(owner, (owners.get(owner) ?? 0) + share);
  }
  const sending = owners.get('sending');
  const shown = (share) => [percent(share), sending === undefined ? '' : (share / sending).toFixed(3)];
  return [...owners].sort((a, b) => b[1] - a[1]).map(([owner, share]) => [...shown(share), owner]);
}

function ownerOf(where) {
  if (where.startsWith('node:')) return "Node's own";
  return /^(?:packages\/)?(?:@[^/]+\/)?[^/]+/.exec(where)[0];
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
try {
  await record(folder);
  // The profiles of worker threads are small beside that of the server.
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const profile = JSON.parse(files.sort((a, b) => b.length - a.length)[0]);
  const times = selfTimes(profile);
  const rows = times.slice(0, SHOWN).map(([key, share]) => [percent(share), ...key.split(' | ')]);
  console.log(table([`${name}, ${method} ${path}`, 'function', 'where'], rows).join('\n'));
  console.log(table(['share', 'x sending', 'whose'], byOwner(times)).join('\n'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

// Measures everything on each version of Node.js, compares it with the targets, and writes RESULTS.md. An answer that differs, or an
// error, fails the run. BENCH_NODES=20,24 takes other versions; BENCH_PARTS=peers,latency measures these alone and prints them.
import { execFileSync, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { updateFigures } from '../scripts/figures.mjs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureInstall } from './install-size.mjs';
import { measureLatency } from './latency.mjs';
import { measureLogins } from './logins.mjs';
import { nodeProgram } from './measure/node-programs.mjs';
import { table } from './measure/table.mjs';
import { measurePeers } from './peers.mjs';
import { measureRealTime } from './realtime.mjs';
import { measureRest } from './rest.mjs';
import { measureStart } from './start.mjs';
import { compareWithTargets } from './targets.mjs';
import { measureWriteToEvent } from './write-to-event.mjs';

const CALLS = ['inProcess', 'queries', 'tokens', 'adapter'];
/** Each gives figures for `targets.mjs`, and lines for people. */
const PARTS = {
  peers: measurePeers,
  latency: measureLatency,
  rest: measureRest,
  start: measureStart,
  logins: measureLogins,
  calls: (execPath) => measureCalls(execPath, CALLS),
  realtime: measureRealTime,
  writeToEvent: measureWriteToEvent,
  docdb: async (execPath) => {
    const { figures, lines } = await measureCalls(execPath, ['docdb']);
    return { figures: figures.docdb, lines };
  },
  memory: async (execPath) => {
    const { figures, lines } = await measureCalls(execPath, ['memory']);
    return { figures: figures.memory, lines };
  },
};
const NAMES = [...Object.keys(PARTS), 'install'];
const NODES = (process.env.BENCH_NODES ?? '20,22,24').split(',');
const WANTED = process.env.BENCH_PARTS?.split(',') ?? NAMES;
const COMPARED = [
  'express',
  'express4',
  'fastify',
  'hono',
  '@hono/node-server',
  'koa',
  'qs',
  'jose',
  'mongodb',
  'socket.io',
  'ws',
  '@feathersjs/feathers',
  '@feathersjs/memory',
];

const unknown = WANTED.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`BENCH_PARTS: ${unknown.join(', ')} is none of ${NAMES.join(', ')}`);

/** Calls without HTTP run in a process of the version that is measured. */
async function measureCalls(execPath, names) {
  const options = { execPath, execArgv: ['--expose-gc', '--min-semi-space-size=32'], env: { ...process.env, NODE_ENV: 'production' } };
  const child = fork(fileURLToPath(new URL('calls.mjs', import.meta.url)), names, options);
  const results = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`calls.mjs ended with ${code}`)));
  });
  const figures = Object.fromEntries(Object.entries(results).map(([name, part]) => [name, part.figures]));
  return { figures, lines: Object.values(results).flatMap(({ head, rows }) => table(head, rows)) };
}

/** The version that the lock file has; not every package lets its `package.json` be read from outside. */
function versionOf(name) {
  const folder = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return `${name} ${JSON.parse(readFileSync(folder, 'utf8')).version}`;
}

/** How many processes wanted to run: with more than there are cores, others took part. */
const load = () => loadavg()[0].toFixed(1);

async function measureNode({ path, version }) {
  const figures = {};
  const lines = [`## Node.js ${version}`];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!WANTED.includes(name)) continue;
    const [begin, before] = [performance.now(), load()];
    const part = await measure(path);
    figures[name] = part.figures;
    const spent = `\`${name}\`: ${((performance.now() - begin) / 1000).toFixed(0)} s, load average ${before} before and ${load()} after.`;
    console.log([`Node.js ${version}`, ...part.lines, spent].join('\n'));
    lines.push(...part.lines, spent);
  }
  return { figures, lines };
}

const began = performance.now();
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const body = [];
const figures = {};
const versions = [];
for (const wanted of NODES) {
  const node = nodeProgram(wanted);
  if (!node) {
    console.log(`Node.js ${wanted} can not be had here and is left out.`);
    continue;
  }
  const measured = await measureNode(node);
  body.push(...measured.lines);
  versions.push(node.version);
  figures[node.version.split('.', 1)[0]] = measured.figures;
}

let install;
if (WANTED.includes('install')) {
  try {
    install = measureInstall();
    body.push('## Size', ...install.lines);
    console.log(install.lines.join('\n'));
  } catch (error) {
    console.log(`The size of an install was not measured: ${error.message.split('\n', 1)[0]}`);
  }
}

const { lines: targets, counts } = compareWithTargets(figures, install?.figures);
console.log(targets.join('\n'));
const summary = `${counts.met} met, ${counts['not decided']} not decided, ${counts.missed} missed.`;
const minutes = ((performance.now() - began) / 60_000).toFixed(0);
const head = [
  '# Results',
  '',
  `Made by \`pnpm bench\` at ${commit} on ${new Date().toISOString().slice(0, 10)}, in ${minutes} minutes, on ${cpus().length} cores, with Node.js ${versions.join(', ')}.`,
  'The load average beside each part says whether others used them too; the measurement itself keeps two busy.',
  '',
  'Only ratios within one run say something. They are taken pair by pair: in each round everything that is compared runs once, in another',
  'order each time. A figure is the median of the rounds, and in brackets the interval that holds the true median in 95 of 100 such runs.',
  'A target that lies inside is **not decided**, and so is a latency where the load generator was late itself. REST: CPU time of the server for each request, 16 connections that always have a request',
  'waiting; answers are checked to be the same first.',
  '',
  'Who pays for what: beside fastify all headers are the same to the last character, the weak entity tag (SHA-1) is sent by both or by',
  'neither, and a third comparison has fastify with its own headers alone. In the tables `x raw` every server sends what it sends when',
  'nobody asks: what that is stands in "Headers beside those of all" (Express and the incumbent send X-Powered-By and a tag with every',
  'answer, ours a tag with reads).',
  '',
  `Versions: ${COMPARED.map(versionOf).join(', ')}.`,
  '',
  '## Targets',
  '',
  summary,
];
const whole = NAMES.every((name) => WANTED.includes(name));
if (whole) {
  const lines = [...head, ...targets, ...body].join('\n').replace(/\n{3,}/g, '\n\n');
  writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.trim()}\n`);
  updateFigures();
}
console.log(`${summary} LIMITS.md says what limits what is missed.${whole ? '' : ' RESULTS.md is written when every part is measured.'}`);
process.exit(0);

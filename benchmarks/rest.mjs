// REST in turns: Node's own server, other frameworks, the incumbent and us do the same work with the same answers. Prints the
// server's CPU time for each request as a ratio to Node's own server, and writes it to RESULTS.md.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import http from 'node:http';
import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';
import { median } from './measure/compare.mjs';
import { cpuPerRequest, send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';

const SERVERS = ['raw', 'fastify', 'hono', 'koa', 'express-4', 'express-5', 'incumbent', 'ours'];
const AUTHENTICATED = ['incumbent-authenticated', 'ours-authenticated'];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const MILLISECONDS = Number(process.env.BENCH_MS ?? 600);
/** Versions of Node.js, of which the npm package `node` has the programs. Default: the present one. */
const NODES = process.env.BENCH_NODES?.split(',') ?? [process.versions.node];

const DATA = JSON.stringify({ name: 'Ann Example', email: 'ann@example.com', age: 42 });
const WORK = [
  ['GET one', { path: '/items/1' }, 200],
  ['GET 10 with $limit and $sort', { path: '/items?$limit=10&$sort[name]=-1' }, 200],
  ['POST', { method: 'POST', path: '/items', body: DATA }, 201],
  ['an error', { path: '/items/none' }, 404],
];
const LOGIN = { email: 'ann@example.com', password: 'right password' };

const { resolve } = createRequire(import.meta.url);
const versionOf = (name) =>
  JSON.parse(
    execFileSync(process.execPath, ['-p', `JSON.stringify(require(${JSON.stringify(resolve(`${name}/package.json`))}).version)`], {
      encoding: 'utf8',
    }),
  );

function programOf(version) {
  if (version === process.versions.node) return process.execPath;
  return execFileSync('npm', ['exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  }).trim();
}

/** Every server gives the same status and body, or there is nothing to compare. */
async function checkAnswers(servers) {
  const agent = new http.Agent({ keepAlive: false });
  for (const [title, request, expected] of WORK) {
    const answers = [];
    for (const server of servers) answers.push(await send(agent, server.port, request));
    for (const [index, { status, text }] of answers.entries()) {
      const same = JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(answers[0].text));
      if (status !== expected || !same) throw new Error(`${title}: ${servers[index].name} answers ${status} ${text}`);
    }
  }
}

async function logIn(server) {
  const post = async (path, data) =>
    JSON.parse((await send(undefined, server.port, { method: 'POST', path, body: JSON.stringify(data) })).text);
  await post('/users', LOGIN);
  const { accessToken } = await post('/authentication', { strategy: 'local', ...LOGIN });
  return accessToken;
}

const lines = [];
const say = (line = '') => {
  lines.push(line);
  console.log(line);
};

async function measure(version) {
  const execPath = programOf(version);
  const servers = [];
  for (const name of SERVERS) servers.push(await startServer(name, { execPath }));
  await checkAnswers(servers);
  const jobs = servers.flatMap((server) => WORK.map(([title, request, status]) => ({ server, title, request, status, times: [] })));
  for (const name of AUTHENTICATED) {
    const server = await startServer(name, { execPath });
    servers.push(server);
    const headers = { Authorization: `Bearer ${await logIn(server)}` };
    jobs.push({ server, title: 'GET one, authenticated', request: { path: '/closed/1', headers }, status: 200, times: [] });
  }
  for (const { server, request, status } of jobs) await cpuPerRequest(server, request, status, { milliseconds: MILLISECONDS });
  for (let round = 0; round < ROUNDS; round++) {
    for (const job of jobs) job.times.push(await cpuPerRequest(job.server, job.request, job.status, { milliseconds: MILLISECONDS }));
  }
  for (const server of servers) server.stop();

  const raw = new Map(jobs.filter(({ server }) => server.name === 'raw').map(({ title, times }) => [title, median(times)]));
  const titles = [...raw.keys(), 'GET one, authenticated'];
  say(`\n## Node.js ${version}\n`);
  say(
    `Server CPU for each request, x Node's own server (${raw.get('GET one').toFixed(0)} us for GET one); in brackets the spread of the rounds.\n`,
  );
  say(`| | ${titles.join(' | ')} |`);
  say(`|---|${titles.map(() => '---').join('|')}|`);
  for (const name of SERVERS) {
    const cells = titles.map((title) => {
      const own = jobs.find((job) => job.title === title && (job.server.name === name || job.server.name === `${name}-authenticated`));
      if (!own) return '';
      const base = raw.get(title) ?? raw.get('GET one');
      const sorted = [...own.times].sort((a, b) => a - b);
      return `${(median(own.times) / base).toFixed(1)} (${(sorted[0] / base).toFixed(1)} to ${(sorted.at(-1) / base).toFixed(1)})`;
    });
    say(`| ${name} | ${cells.join(' | ')} |`);
  }
}

say('# Results\n');
say('Made by `pnpm bench`. Runs are in turns on one machine; only ratios within one run say something.');
say(`${String(cpus().length)} cores; ${ROUNDS} rounds of ${MILLISECONDS} ms, 16 connections.`);
const versions = ['fastify', 'hono', 'koa', 'express', '@feathersjs/express'].map((name) => {
  try {
    return `${name} ${versionOf(name)}`;
  } catch {
    return name;
  }
});
say(`Versions: ${versions.join(', ')}.`);
for (const version of NODES) await measure(version);
writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n')}\n`);

// REST in turns: Node's own server, other frameworks, the incumbent and us do the same work with the same answers. The figure is the
// server's CPU time for each request, as a ratio to Node's own server.
import http from 'node:http';
import { median } from './measure/compare.mjs';
import { cpuPerRequest, send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withSpread } from './measure/table.mjs';

const SERVERS = ['raw', 'fastify', 'hono', 'koa', 'express-4', 'express-5', 'incumbent-koa', 'incumbent', 'ours'];
const BEHIND_MIDDLEWARE = ['express-5-middleware', 'incumbent-middleware', 'ours-middleware'];
const AUTHENTICATED = ['incumbent-authenticated', 'ours-authenticated'];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const MILLISECONDS = Number(process.env.BENCH_MS ?? 250);
/** V8 compiles in steps: what has more layers needs longer until it runs as it will run for days. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 1500);

const DATA = JSON.stringify({ name: 'Ann Example', email: 'ann@example.com', age: 42 });
const GET_ONE = { title: 'GET one', request: { path: '/items/1' }, status: 200 };
const WORK = [
  GET_ONE,
  { title: 'GET 10 with $limit and $sort', request: { path: '/items?$limit=10&$sort[name]=-1' }, status: 200 },
  { title: 'POST', request: { method: 'POST', path: '/items', body: DATA }, status: 201 },
  { title: 'an error', request: { path: '/items/none' }, status: 404 },
];
const MIDDLEWARE = 'GET one, behind helmet, a log and a session';
const PROTECTED = 'GET one, authenticated';
const LOGIN = { email: 'ann@example.com', password: 'right password' };

/** Every server gives the same status and body, or there is nothing to compare. */
async function checkAnswers(servers, work) {
  const agent = new http.Agent({ keepAlive: false });
  for (const { title, request, status: expected } of work) {
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

/** Jobs by title. Each title has Node's own server in it, so that what is compared runs close in time. */
async function jobsOf(execPath) {
  const start = (names) => Promise.all(names.map((name) => startServer(name, { execPath })));
  const [plain, behind, authenticated] = [await start(SERVERS), await start(BEHIND_MIDDLEWARE), await start(AUTHENTICATED)];
  await checkAnswers([...plain, ...behind], WORK);
  const [raw] = plain;
  const job = (work, server, title = work.title) => ({
    ...work,
    title,
    server,
    name: server.name.replace(/-(?:middleware|authenticated)$/, ''),
    times: [],
  });
  const jobs = WORK.flatMap((work) => plain.map((server) => job(work, server)));
  jobs.push(...[raw, ...behind].map((server) => job(GET_ONE, server, MIDDLEWARE)), job(GET_ONE, raw, PROTECTED));
  for (const server of authenticated) {
    const headers = { Authorization: `Bearer ${await logIn(server)}` };
    const refused = await send(undefined, server.port, { path: '/closed/1' });
    if (refused.status !== 401) throw new Error(`${server.name}: answers ${refused.status} without a token`);
    jobs.push(job({ request: { path: '/closed/1', headers }, status: 200 }, server, PROTECTED));
  }
  return jobs;
}

function groupsOf(jobs) {
  const titles = [...new Set(jobs.map(({ title }) => title))];
  return titles.map((title) => jobs.filter((job) => job.title === title));
}

/** A slice of a server's time; a little before it is not counted, since it may have slept. */
async function slice({ server, request, status, times }) {
  await cpuPerRequest(server, request, status, { milliseconds: 80 });
  times.push(await cpuPerRequest(server, request, status, { milliseconds: MILLISECONDS }));
}

/** @returns figures for `targets.mjs` (by title and server), and a table */
export async function measureRest(execPath) {
  const jobs = await jobsOf(execPath);
  for (const group of groupsOf(jobs)) {
    for (const { server, request, status } of group) await cpuPerRequest(server, request, status, { milliseconds: WARM_UP });
    for (let round = 0; round < ROUNDS; round++) for (const job of group) await slice(job);
  }
  for (const server of new Set(jobs.map((job) => job.server))) server.stop();

  const titles = [...WORK.map(({ title }) => title), MIDDLEWARE, PROTECTED];
  const baseOf = (title) => median(jobs.find((job) => job.name === 'raw' && job.title === title).times);
  const figures = Object.fromEntries(titles.map((title) => [title, {}]));
  for (const { name, title, times } of jobs) figures[title][name] = median(times) / baseOf(title);
  const rows = SERVERS.map((name) => {
    const cells = titles.map((title) => {
      const own = jobs.find((job) => job.name === name && job.title === title)?.times;
      return own ? withSpread(median(own) / baseOf(title), Math.min(...own) / baseOf(title), Math.max(...own) / baseOf(title), 1) : '';
    });
    return [name, ...cells];
  });
  return { figures, lines: table([`REST, x raw (${baseOf('GET one').toFixed(0)} us for GET one)`, ...titles], rows) };
}

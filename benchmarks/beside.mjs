// This checkout beside another one of the same machine, pair by pair in one run: `BESIDE=../other pnpm --filter @framework-internal/benchmarks beside`.
// Both have to be built. The figure is ours over theirs: above 1 is slower than the other.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { worksOf } from './calls/works.mjs';
import { logIn, unseenTokens } from './measure/access-tokens.mjs';
import { compare } from './measure/compare.mjs';
import { startGenerator } from './measure/latency.mjs';
import { startLogins } from './measure/logins.mjs';
import { pairs, shuffled } from './measure/pairs.mjs';
import { measureInRounds } from './measure/rounds.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';
import { WORK } from './work.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
const REQUESTS = { requests: 1500, warmUp: 6000 };
const BESIDE_LOGINS = { rate: 200, milliseconds: 1200 };

if (!process.env.BESIDE) throw new Error('BESIDE names the folder of the other checkout, built');
const root = pathToFileURL(`${resolve(process.env.INIT_CWD ?? '.', process.env.BESIDE)}/`);
const benchmarks = new URL('benchmarks/', root);

/** One server of this checkout and one of the other. */
const both = (name) => Promise.all([startServer(name), startServer(name, { benchmarks })]);

/** @returns rows of the table: what each costs of the processor */
async function requests(title, servers, of) {
  const jobs = servers.map((server) => ({ ...of(server), ...REQUESTS, server, times: [] }));
  await measureInRounds(jobs, ROUNDS);
  return [title, withInterval(pairs(jobs[0].times, jobs[1].times))];
}

/** @returns rows of what can be done in one process, with what it takes in the other checkout and in this one */
async function inProcess() {
  const loadFrom = (folder) => (name) => import(new URL(`packages/${name}/dist/index.js`, folder));
  const theirs = await worksOf(loadFrom(root));
  const ours = await worksOf(loadFrom(new URL('../', import.meta.url)));
  const rows = [];
  for (const title of Object.keys(ours)) {
    const times = await compare({ theirs: theirs[title], ours: ours[title] }, { rounds: ROUNDS, milliseconds: 100 });
    rows.push([title, withInterval(times.ratio('ours'))]);
  }
  return rows;
}

async function besideLogins(servers, tokens) {
  const generator = startGenerator();
  const p99 = servers.map(() => []);
  const run = async (index) => {
    const request = { path: '/closed/1', headers: { Authorization: `Bearer ${tokens[index]}` } };
    const logins = await startLogins(servers[index].port);
    p99[index].push((await generator.openLoad({ server: servers[index], request, ...BESIDE_LOGINS })).p99);
    await logins.stop();
  };
  for (let round = 0; round <= ROUNDS; round++) for (const index of shuffled([0, 1])) await run(index);
  generator.stop();
  // The first round has warmed up.
  return ['p99 of an authenticated GET beside 8 logins', withInterval(pairs(p99[0].slice(1), p99[1].slice(1)))];
}

const rows = await inProcess();
const plain = await both('ours');
for (const { title, request, status } of WORK) rows.push(await requests(title, plain, () => ({ request, status })));
for (const server of plain) server.stop();

const closed = await both('ours-authenticated');
const tokens = [];
for (const server of closed) tokens.push(await logIn(server));
const withToken = (accessToken) => ({ path: '/closed/1', headers: { Authorization: `Bearer ${accessToken}` } });
const tokenOf = (server) => tokens[closed.indexOf(server)];
rows.push(
  await requests('GET one, authenticated, token known', closed, (server) => ({ request: withToken(tokenOf(server)), status: 200 })),
);
rows.push(
  await requests('GET one, authenticated, token not seen before', closed, (server) => {
    const next = unseenTokens(tokenOf(server));
    return { request: () => withToken(next()), status: 200 };
  }),
);
rows.push(await besideLogins(closed, tokens));
for (const server of closed) server.stop();
console.log(table(['x the other checkout, CPU of the server', 'ours'], rows).join('\n'));

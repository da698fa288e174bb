// The 99th percentile of an authenticated GET while eight logins hash at once, against none.
import { latencies, percentile } from './measure/latency.mjs';
import { median } from './measure/compare.mjs';
import { startServer } from './measure/server-process.mjs';
import { table } from './measure/table.mjs';

const RATE = 100;
const DURATION = 4000;
const ROUNDS = 3;
const SERVERS = ['incumbent-authenticated', 'ours-authenticated'];
const LOGIN = { email: 'ann@example.com', password: 'right password' };

async function post(url, path, body) {
  const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Eight clients log in again and again until told to stop. */
function logInConstantly(url) {
  let running = true;
  let count = 0;
  const loops = Array.from({ length: 8 }, async () => {
    while (running) {
      await post(url, '/authentication', { strategy: 'local', ...LOGIN });
      count += 1;
    }
  });
  return async () => {
    running = false;
    await Promise.all(loops);
    return count;
  };
}

async function startWithToken(name, execPath) {
  const server = await startServer(name, { execPath });
  await post(server.url, '/users', LOGIN);
  const { accessToken } = await post(server.url, '/authentication', { strategy: 'local', ...LOGIN });
  return { server, target: { port: server.port, path: '/closed/1', headers: { authorization: `Bearer ${accessToken}` } }, results: [] };
}

async function measure({ server, target }) {
  await latencies(target, RATE, 500);
  const alone = percentile(await latencies(target, RATE, DURATION), 0.99);
  const stop = logInConstantly(server.url);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const busy = percentile(await latencies(target, RATE, DURATION), 0.99);
  return { alone, busy, ratio: busy / alone, logins: (await stop()) / (DURATION / 1000) };
}

/** @returns figures for `targets.mjs`, and a table */
export async function measureLogins(execPath) {
  const subjects = await Promise.all(SERVERS.map((name) => startWithToken(name, execPath)));
  for (let round = 0; round < ROUNDS; round++) for (const subject of subjects) subject.results.push(await measure(subject));
  for (const { server } of subjects) server.stop();
  const figures = {};
  const rows = subjects.map(({ server, results }) => {
    const of = (key) => median(results.map((result) => result[key]));
    const name = server.name.replace('-authenticated', '');
    figures[name] = of('ratio');
    return [name, of('alone').toFixed(1), of('busy').toFixed(1), of('ratio').toFixed(1), of('logins').toFixed(0)];
  });
  const head = ['An authenticated GET, 100 per second', 'p99 alone, ms', 'p99 beside 8 logins, ms', 'ratio', 'logins per second'];
  return { figures, lines: table(head, rows) };
}

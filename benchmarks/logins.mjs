// The 99th percentile of a GET, with and without a token, while eight logins hash at once, against none.
import { latencies, percentile } from './measure/latency.mjs';
import { startServer } from './measure/server-process.mjs';

const RATE = 100;
const DURATION = Number(process.env.BENCH_MS ?? 5000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
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

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const results = [];
const servers = [await startServer('ours-authenticated'), await startServer('incumbent-authenticated')];
for (const server of servers) await post(server.url, '/users', LOGIN);
for (const server of servers) server.token = (await post(server.url, '/authentication', { strategy: 'local', ...LOGIN })).accessToken;
for (let round = 0; round < ROUNDS; round++) {
  for (const server of servers) {
    for (const path of ['/closed/1', '/open/1']) {
      const target = { port: server.port, path, headers: { authorization: `Bearer ${server.token}` } };
      await latencies(target, RATE, 500);
      const alone = percentile(await latencies(target, RATE, DURATION), 0.99);
      const stop = logInConstantly(server.url);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const busy = percentile(await latencies(target, RATE, DURATION), 0.99);
      const logins = await stop();
      results.push({ name: server.name, path, alone, busy, logins });
    }
  }
}
for (const server of servers) server.stop();

console.log('| server | GET | p99 alone, ms | p99 with 8 logins, ms | ratio | logins per second |');
console.log('|---|---|---|---|---|---|');
for (const { name } of servers) {
  for (const path of ['/closed/1', '/open/1']) {
    const own = results.filter((result) => result.name === name && result.path === path);
    const [alone, busy, logins] = ['alone', 'busy', 'logins'].map((key) => median(own.map((result) => result[key])));
    const kind = path.startsWith('/closed') ? 'with a token' : 'without a token';
    console.log(
      `| ${name} | ${kind} | ${alone.toFixed(1)} | ${busy.toFixed(1)} | ${(busy / alone).toFixed(1)} | ${(logins / (DURATION / 1000)).toFixed(0)} |`,
    );
  }
}

// Throughput of the `cluster` example with one process and with two. The client needs a core of its own: with fewer cores than processes
// and client together, it is the machine that is measured.
import { spawn } from 'node:child_process';
import net from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { median } from './measure/pairs.mjs';
import { requestsIn } from './measure/load.mjs';

const MAIN = fileURLToPath(new URL('../examples/cluster/dist/main.js', import.meta.url));
/** Takes the server long enough that the client needs little beside it. */
const REQUEST = { path: '/primes/1000000007' };
const ROUNDS = 9;
const MILLISECONDS = 1500;

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(workers) {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), WORKERS: String(workers) },
  });
  let output = '';
  await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.split('listens on').length > workers) resolve();
    });
  });
  return { name: `${workers} process(es)`, port, child, rates: [] };
}

const servers = [await start(1), await start(2)];
for (let round = -1; round < ROUNDS; round++) {
  for (const server of servers) {
    const count = await requestsIn(server, REQUEST, 200, { connections: 32, milliseconds: MILLISECONDS });
    if (round >= 0) server.rates.push((count * 1000) / MILLISECONDS);
  }
}
for (const server of servers) server.child.kill('SIGTERM');
const [one, two] = servers.map(({ rates }) => median(rates));
console.log(`one process ${one.toFixed(0)} requests per second, two ${two.toFixed(0)}: ${(two / one).toFixed(2)} x`);
if (availableParallelism() < 3)
  console.log(`${availableParallelism()} cores: the client and the processes shared them, so this is less than the processes could do.`);

// Memory under load: 1,000,000 requests, and 10,000 idle keep-alive connections. Fails when the heap does not stay flat, or when a
// connection costs more than Node's own server takes for one. SOAK_REQUESTS and SOAK_CONNECTIONS make it shorter.
import net from 'node:net';
import { requestsIn, send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';

const REQUESTS = Number(process.env.SOAK_REQUESTS ?? 1_000_000);
const CONNECTIONS = Number(process.env.SOAK_CONNECTIONS ?? 10_000);
const MIB = 2 ** 20;
/** The heap may differ from one look to the next by caches that fill and code that is compiled. */
const SLACK = 3 * MIB;

const show = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;
const failures = [];

function require(holds, text) {
  console.log(`${holds ? 'ok' : 'FAILED'}: ${text}`);
  if (!holds) failures.push(text);
}

async function manyRequests(name, requests) {
  const server = await startServer(name, { execArgv: ['--expose-gc'] });
  const share = Math.ceil(REQUESTS / 10);
  const heaps = [];
  let done = 0;
  for (let look = 0; look < 10; look++) {
    const end = done + share;
    while (done < end) {
      for (const { request, status } of requests) {
        done += await requestsIn(server, request, status, { milliseconds: 1000 });
      }
    }
    const { heap, resident } = await server.usage();
    heaps.push(heap);
    console.log(`${name}: ${done} requests, heap ${show(heap)}, resident ${show(resident)}`);
  }
  server.stop();
  const grown = heaps.at(-1) - heaps[1];
  require(grown < SLACK, `${name}: the heap grew by ${show(grown)} from the second look to the tenth, over ${done} requests`);
}

async function idleConnections(name) {
  const server = await startServer(name, { execArgv: ['--expose-gc'], env: { NODE_NO_WARNINGS: '1' } });
  const answers = await send(undefined, server.port, { path: '/items/1' });
  if (answers.status !== 200) throw new Error(`${name}: answered ${answers.status}`);
  const before = await server.usage();
  const sockets = [];
  for (let opened = 0; opened < CONNECTIONS; opened += 100) {
    const group = Array.from({ length: Math.min(100, CONNECTIONS - opened) }, () => connectAndAsk(server.port));
    sockets.push(...(await Promise.all(group)));
  }
  const idle = await server.usage();
  const begin = performance.now();
  await send(undefined, server.port, { path: '/items/1' });
  const answered = performance.now() - begin;
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = await server.usage();
  server.stop();
  console.log(
    `${name}: ${CONNECTIONS} idle connections, heap ${show(before.heap)} -> ${show(idle.heap)} -> ${show(after.heap)} once they are closed`,
  );
  return { each: (idle.heap - before.heap) / CONNECTIONS, left: after.heap - before.heap, answered };
}

/** A connection that has had one answer, and stays open. */
function connectAndAsk(port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.once('error', reject);
    socket.once('data', () => resolve(socket));
    socket.write('GET /items/1 HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nAccept: application/json\r\n\r\n');
  });
}

await manyRequests('ours', [
  { request: { path: '/items/1' }, status: 200 },
  { request: { path: '/items?$limit=10&$sort[name]=-1' }, status: 200 },
  { request: { method: 'POST', path: '/items', body: '{"name":"Ann"}' }, status: 201 },
  { request: { path: '/items/none' }, status: 404 },
]);
const raw = await idleConnections('raw');
const ours = await idleConnections('ours');
require(ours.each <
  raw.each * 1.5, `an idle connection takes ${ours.each.toFixed(0)} bytes of heap; Node's own server ${raw.each.toFixed(0)}`);
require(ours.left < SLACK, `${show(ours.left)} are left once they are closed`);
require(ours.answered < 1000, `a request beside them is answered in ${ours.answered.toFixed(0)} ms`);
process.exit(failures.length === 0 ? 0 : 1);

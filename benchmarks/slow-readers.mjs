// What readers cost that do not read: 100 sockets and 100 streams that stop, while 1 GB of events is published to each kind. Fails when the process grows
// by more than the window and what may wait for each of them. SLOW_READERS and SLOW_MEGABYTES make it shorter.
import { get } from 'node:http';
import { io } from 'socket.io-client';
import { send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';

const READERS = Number(process.env.SLOW_READERS ?? 100);
const MEGABYTES = Number(process.env.SLOW_MEGABYTES ?? 1000);
const BYTES = 16_384;
const MIB = 2 ** 20;
/** The defaults of `channels()`: `window.bytes` and `maxBuffer`. */
const BOUND = 64 * MIB + READERS * MIB;

const show = (bytes) => `${(bytes / MIB).toFixed(0)} MiB`;

/** Each opens a connection that does not read from then on; gives what ends it. */
const KINDS = {
  async sockets(url) {
    const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false });
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
    const connection = socket.io.engine.transport.ws._socket;
    connection.pause();
    return () => connection.destroy();
  },
  async streams(url) {
    const response = await new Promise((resolve, reject) => get(`${url}/events`, { agent: false }, resolve).once('error', reject));
    response.pause();
    return () => response.destroy();
  },
};

async function publish(server, count) {
  const { status } = await send(undefined, server.port, {
    method: 'POST',
    path: '/publish',
    body: JSON.stringify({ count, bytes: BYTES }),
  });
  if (status !== 201) throw new Error(`the server answered ${status}`);
}

/** @returns whether the process stayed within the bound */
async function measure(kind) {
  const server = await startServer('ours-events', { execArgv: ['--expose-gc'] });
  await publish(server, 100);
  const ends = await Promise.all(Array.from({ length: READERS }, () => KINDS[kind](server.url)));
  const { resident: before } = await server.usage();
  const steps = 20;
  let most = 0;
  for (let step = 0; step < steps; step++) {
    await publish(server, Math.ceil((MEGABYTES * 1e6) / BYTES / steps));
    most = Math.max(most, (await server.usage()).resident - before);
  }
  for (const end of ends) end();
  server.stop();
  const holds = most < BOUND;
  console.log(
    `${holds ? 'ok' : 'FAILED'}: ${READERS} ${kind} that do not read, ${MEGABYTES} MB of events: ${show(most)} more, at most ${show(BOUND)}`,
  );
  return holds;
}

let failed = false;
for (const kind of Object.keys(KINDS)) failed = !(await measure(kind)) || failed;
process.exit(failed ? 1 : 0);

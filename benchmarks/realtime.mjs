// Real time beside Socket.IO alone, `ws` alone, streams written by hand, and the incumbent: memory of an idle connection, CPU of a delivery, of a call
// over a socket and of what a connection that comes back has missed. Readers are processes of their own; only the server's own CPU counts.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { interval, pairs, shuffled } from './measure/pairs.mjs';
import { send } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';
import { callingSockets } from './measure/calling-sockets.mjs';

export const CROWDS = [
  { readers: 1000, events: 50 },
  { readers: 10_000, events: 5 },
];
const BYTES = 200;
const ROUNDS = 7;
const CALLS = { calls: 3000, warmUp: 12_000 };
const RESUMED = { groups: 8, each: 125, missed: 1000 };

const SOCKETS = [
  { name: 'events-socketio', title: 'Socket.IO', kind: 'sockets' },
  { name: 'events-incumbent', title: 'incumbent', kind: 'sockets' },
  { name: 'ours-events', title: 'ours', kind: 'sockets' },
];
const STREAMS = [
  { name: 'events-write', title: 'written by hand', kind: 'streams' },
  { name: 'ours-events', title: 'ours', kind: 'streams' },
];
const BARE = { name: 'events-ws', title: '`ws`', kind: 'bare' };

/** A server with its readers; `close` ends both. */
async function startCrowd({ name, title, kind }, execPath) {
  const server = await startServer(name, { execPath, execArgv: ['--expose-gc'] });
  const readers = fork(fileURLToPath(new URL('measure/readers.mjs', import.meta.url)), { execPath });
  const ask = (order, options = {}) =>
    new Promise((resolve, reject) => {
      readers.once('message', ({ error }) => (error === undefined ? resolve() : reject(new Error(`${title}, ${kind}: ${error}`))));
      readers.send({ name: order, ...options });
    });
  const publish = async (count) => {
    const body = JSON.stringify({ count, bytes: BYTES });
    const { status } = await send(undefined, server.port, { method: 'POST', path: '/publish', body });
    if (status !== 201) throw new Error(`${title} answered ${status}`);
  };
  return {
    title,
    server,
    ask,
    publish,
    open: (count) => ask('open', { kind, port: server.port, count }),
    /** Publishes, until every reader has got everything. */
    async deliver(count) {
      const read = ask('read', { bytes: count * BYTES });
      await publish(count);
      await read;
    },
    close() {
      readers.disconnect();
      server.stop();
    },
  };
}

const cpu = ({ usage }) => usage.user + usage.system;

/** @returns microseconds of the server's CPU for each of so many things that `work` does */
async function cpuOf(server, count, work) {
  const before = await server.usage();
  await work();
  return (cpu(await server.usage()) - cpu(before)) / count;
}

async function inRounds(jobs, rounds, measure) {
  const times = new Map(jobs.map((job) => [job.title, []]));
  for (let round = -1; round < rounds; round++) {
    // The first round warms up.
    for (const job of shuffled(jobs)) {
      const time = await measure(job, round);
      if (round >= 0) times.get(job.title).push(time);
    }
  }
  return times;
}

/** Memory of an idle connection, then the CPU of deliveries to all of them. */
async function crowd(kinds, { readers, events }, execPath) {
  const crowds = await Promise.all(kinds.map((kind) => startCrowd(kind, execPath)));
  const idle = {};
  for (const each of crowds) {
    await each.open(10);
    await each.deliver(10);
    const before = await each.server.usage();
    await each.open(readers - 10);
    idle[each.title] = ((await each.server.usage()).heap - before.heap) / (readers - 10);
  }
  const fanned = crowds.filter(({ title }) => title !== BARE.title);
  const times = await inRounds(fanned, ROUNDS, (each) => cpuOf(each.server, readers * events, () => each.deliver(events)));
  for (const each of crowds) each.close();
  return { idle, times };
}

async function calls(execPath) {
  const jobs = [];
  for (const { name, title } of SOCKETS) {
    const server = await startServer(name, { execPath });
    jobs.push({ title, server, sockets: await callingSockets(server.port) });
  }
  for (const { sockets } of jobs) await sockets.call(CALLS.warmUp);
  const times = await inRounds(jobs, ROUNDS, ({ server, sockets }) => cpuOf(server, CALLS.calls, () => sockets.call(CALLS.calls)));
  for (const { server, sockets } of jobs) {
    sockets.close();
    server.stop();
  }
  return times;
}

/** Connections come back in groups, each of which has missed the same. */
async function resumptions(execPath) {
  const { groups, each, missed } = RESUMED;
  const crowds = await Promise.all(SOCKETS.filter(({ title }) => title !== 'incumbent').map((kind) => startCrowd(kind, execPath)));
  for (const one of crowds) {
    await one.open((groups + 1) * each);
    await one.deliver(1);
    await one.ask('cut', { from: 0, to: (groups + 1) * each });
    await one.publish(missed);
  }
  const times = await inRounds(crowds, groups, (one, round) => {
    const from = (round + 1) * each;
    return cpuOf(one.server, each * missed, () => one.ask('resume', { from, to: from + each, bytes: missed * BYTES }));
  });
  for (const one of crowds) one.close();
  return times;
}

const beside = (times, title) => pairs(times.get('ours'), times.get(title));

/** @returns figures for `targets.mjs`, and tables */
export async function measureRealTime(execPath) {
  const figures = {};
  const rows = [];
  const idle = [];
  for (const size of CROWDS) {
    const sockets = await crowd([...SOCKETS, BARE], size, execPath);
    const streams = await crowd(STREAMS, size, execPath);
    const to = `1 to ${size.readers}`;
    figures[`${to}, Socket.IO`] = beside(sockets.times, 'Socket.IO');
    figures[`${to}, incumbent`] = beside(sockets.times, 'incumbent');
    figures[`${to}, streams`] = beside(streams.times, 'written by hand');
    figures['idle, Socket.IO'] = sockets.idle.ours / sockets.idle['Socket.IO'];
    figures['idle, incumbent'] = sockets.idle.ours / sockets.idle.incumbent;
    rows.push([`an event, ${to}, sockets`, ...shown(sockets.times), '']);
    rows.push([`an event, ${to}, streams`, '', '', ...shown(streams.times).reverse()]);
    idle.push(
      ...[...Object.entries(sockets.idle), ...Object.entries(streams.idle).map(([title, bytes]) => [`${title}, stream`, bytes])].map(
        ([title, bytes]) => [`${title}, ${size.readers}`, (bytes / 1024).toFixed(1)],
      ),
    );
  }
  const called = await calls(execPath);
  figures['call, Socket.IO'] = beside(called, 'Socket.IO');
  figures['call, incumbent'] = beside(called, 'incumbent');
  rows.push(['a call with its answer', ...shown(called), '']);
  const resumed = await resumptions(execPath);
  figures['resume, Socket.IO'] = beside(resumed, 'Socket.IO');
  rows.push([
    `an event of ${RESUMED.missed} missed, ${RESUMED.groups * RESUMED.each} connections`,
    microseconds(resumed.get('Socket.IO')),
    '',
    microseconds(resumed.get('ours')),
    '',
  ]);
  const lines = [
    ...table(['CPU of the server, us', 'Socket.IO', 'incumbent', 'ours', 'written by hand'], rows),
    ...table(['Heap of an idle connection', 'KiB'], idle),
  ];
  return { figures, lines };
}

const microseconds = (times) => withInterval(interval(times));
const shown = (times) => [...times.values()].map(microseconds);

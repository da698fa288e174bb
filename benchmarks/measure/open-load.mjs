// A load generator in a process of its own, started by `latency.mjs`. Requests are due at random times at a given rate, whether or not
// earlier ones were answered; the time of each is measured from when it was due, however late it could be sent.
import { bytesOf, Connection } from './connection.mjs';
import { requestsIn } from './load.mjs';

/** Timers are late by up to this, in milliseconds: the rest is spent turning the event loop. */
const TIMER = 2;

async function openLoad({ port, request, status, rate, milliseconds, connections }) {
  const bytes = bytesOf(request, port);
  const idle = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, status)));
  const all = [...idle];
  const waiting = [];
  const times = [];
  const late = [];
  let failure;
  const run = async (connection) => {
    while (waiting.length > 0) {
      const due = waiting.shift();
      await connection.send(bytes);
      times.push(performance.now() - due);
    }
    idle.push(connection);
  };
  const pending = [];
  const start = performance.now();
  for (let due = start + gap(rate); due < start + milliseconds && failure === undefined; due += gap(rate)) {
    await until(due);
    late.push(performance.now() - due);
    waiting.push(due);
    const connection = idle.pop();
    if (connection) pending.push(run(connection).catch((error) => (failure ??= error)));
  }
  await Promise.all(pending);
  for (const connection of all) connection.close();
  if (failure) throw failure;
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), late: percentile(late, 0.99), count: times.length };
}

/** Between two requests that do not know of each other. */
function gap(rate) {
  return (-Math.log(1 - Math.random()) * 1000) / rate;
}

async function until(due) {
  for (let left = due - performance.now(); left > 0; left = due - performance.now()) {
    await (left > TIMER ? new Promise((resolve) => setTimeout(resolve, left - TIMER)) : new Promise((resolve) => setImmediate(resolve)));
  }
}

function percentile(values, share) {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function capacity({ name, port, request, status, milliseconds, connections }) {
  const start = performance.now();
  const count = await requestsIn({ name, port }, request, status, { connections, milliseconds });
  return { rate: (count * 1000) / (performance.now() - start) };
}

const kinds = { openLoad, capacity };
process.on('message', ({ kind, options }) => {
  kinds[kind](options).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));

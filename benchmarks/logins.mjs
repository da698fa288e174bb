// The 99th percentile of an authenticated GET while eight logins hash at once, against none, under open load.
import { startGenerator } from './measure/latency.mjs';
import { logIn } from './measure/access-tokens.mjs';
import { median, pairs } from './measure/pairs.mjs';
import { startServer } from './measure/server-process.mjs';
import { startLogins } from './measure/logins.mjs';
import { table, withInterval } from './measure/table.mjs';

const RATE = 200;
const MILLISECONDS = 1200;
const ROUNDS = 6;

async function measure(server, generator) {
  const request = { path: '/closed/1', headers: { Authorization: `Bearer ${await logIn(server)}` } };
  const run = (milliseconds) => generator.openLoad({ server, request, rate: RATE, milliseconds });
  await run(500);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await run(MILLISECONDS);
    const logins = await startLogins(server.port);
    const busy = await run(MILLISECONDS);
    rounds.push({ alone: alone.p99, busy: busy.p99, perSecond: await logins.stop() });
  }
  return rounds;
}

/** @returns a figure for `targets.mjs`, and a table */
export async function measureLogins(execPath) {
  const generator = startGenerator();
  const server = await startServer('ours-authenticated', { execPath });
  const rounds = await measure(server, generator);
  server.stop();
  generator.stop();
  const of = (key) => rounds.map((round) => round[key]);
  const figures = { ours: pairs(of('busy'), of('alone')) };
  const cells = [
    `${RATE} per second`,
    ...['alone', 'busy'].map((key) => median(of(key)).toFixed(1)),
    withInterval(figures.ours),
    median(of('perSecond')).toFixed(0),
  ];
  const head = ['An authenticated GET', 'p99 alone, ms', 'p99 beside 8 logins, ms', 'ratio', 'logins per second'];
  return { figures, lines: table(head, [cells]) };
}

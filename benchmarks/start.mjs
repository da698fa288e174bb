// From the start of a process to its first connection, and the memory that it has then, pair by pair.
import { median, pairs, shuffled } from './measure/pairs.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';

const SERVERS = ['raw', 'hono', 'fastify', 'koa', 'express-5', 'incumbent', 'ours'];
const ROUNDS = 7;

/** @returns figures for `targets.mjs`, and a table */
export async function measureStart(execPath) {
  const times = Object.fromEntries(SERVERS.map((name) => [name, []]));
  const memory = Object.fromEntries(SERVERS.map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of shuffled(SERVERS)) {
      const begin = performance.now();
      const server = await startServer(name, { execPath });
      const elapsed = performance.now() - begin;
      const { resident } = await server.usage();
      server.stop();
      // The first round reads files that the machine then has in memory.
      if (round < 0) continue;
      times[name].push(elapsed);
      memory[name].push(resident / 2 ** 20);
    }
  }
  const figures = Object.fromEntries(SERVERS.map((name) => [name, pairs(times[name], times['express-5'])]));
  const rows = SERVERS.map((name) => [name, withInterval(figures[name]), `${median(memory[name]).toFixed(0)} MiB`]);
  return { figures, lines: table(['Start', 'x Express 5, until it listens', 'memory then'], rows) };
}

// From the start of a process to its first connection, and the memory that it has then; in turns.
import { median } from './measure/compare.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withSpread } from './measure/table.mjs';

const SERVERS = ['raw', 'hono', 'fastify', 'koa', 'express-5', 'incumbent', 'ours'];
const ROUNDS = Number(process.env.BENCH_STARTS ?? 12);

/** @returns figures for `targets.mjs`, and a table */
export async function measureStart(execPath) {
  const times = new Map(SERVERS.map((name) => [name, []]));
  const memory = new Map(SERVERS.map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of SERVERS) {
      const begin = performance.now();
      const server = await startServer(name, { execPath });
      const elapsed = performance.now() - begin;
      const { resident } = await server.usage();
      server.stop();
      if (round < 0) continue;
      times.get(name).push(elapsed);
      memory.get(name).push(resident / 2 ** 20);
    }
  }
  const base = median(times.get('express-5'));
  const figures = {};
  const rows = SERVERS.map((name) => {
    const own = times.get(name);
    figures[name] = { start: median(own) / base, memory: median(memory.get(name)) / median(memory.get('express-5')) };
    return [
      name,
      withSpread(figures[name].start, Math.min(...own) / base, Math.max(...own) / base),
      `${median(memory.get(name)).toFixed(0)} MiB`,
    ];
  });
  return { figures, lines: table(['Start', 'x Express 5, until it listens', 'memory then'], rows) };
}

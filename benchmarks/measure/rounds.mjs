import { cpuPerRequest, requestsIn } from './load.mjs';
import { shuffled } from './pairs.mjs';

/** BENCH_ROUNDS takes others, six at least. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 0);
/** Enough for each slice to have its share of garbage collection. */
const REQUESTS = 2500;

/**
 * Measures a group of jobs in rounds, each of them once in a round, in another order in each.
 *
 * @param jobs `server`, `request`, `status`, and `times`, which is filled with the CPU time of a request in microseconds
 * @param options `rounds`; `warmUp`, requests before the first of them: V8 compiles in steps, and what has more layers takes longer
 *   until it runs as it will run for days
 */
export async function measureInRounds(jobs, { rounds, warmUp, requests = REQUESTS }) {
  for (const { server, request, status } of jobs) await requestsIn(server, request, status, { requests: warmUp });
  for (let round = 0; round < (ROUNDS || rounds); round++) {
    for (const { server, request, status, times, share = 1 } of shuffled(jobs)) {
      // A server that has slept is slower at first.
      await requestsIn(server, request, status, { requests: 200 });
      times.push(await cpuPerRequest(server, request, status, { requests: Math.ceil(requests * share) }));
    }
  }
}

import { cpuPerRequest, requestsIn } from './load.mjs';
import { shuffled } from './pairs.mjs';

/** BENCH_ROUNDS takes others, six at least. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 0);

/**
 * Measures a group of jobs in rounds, each of them once in a round, in another order in each.
 *
 * @param jobs `server`, `request`, `status`, and `times`, which is filled with the CPU time of a request in microseconds; `requests` of
 *   one slice, so many that each has its share of garbage collection; `warmUp`, requests before the first slice: V8 compiles in steps,
 *   and what has more layers takes longer until it runs as it will run for days
 * @param rounds unless BENCH_ROUNDS says otherwise
 */
export async function measureInRounds(jobs, rounds) {
  for (const { server, request, status, warmUp } of jobs) await requestsIn(server, request, status, { requests: warmUp });
  for (let round = 0; round < (ROUNDS || rounds); round++) {
    for (const { server, request, status, times, requests } of shuffled(jobs)) {
      // A server that has slept is slower at first.
      await requestsIn(server, request, status, { requests: Math.ceil(requests / 12) });
      times.push(await cpuPerRequest(server, request, status, { requests }));
    }
  }
}

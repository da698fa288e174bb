import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('open-load.mjs', import.meta.url));
const CONNECTIONS = 64;

/** A load generator in a process of its own: what else the measuring process does keeps no request waiting. */
export function startGenerator() {
  const child = fork(PROGRAM);
  const ask = (kind, { server, request, status = 200, rate, milliseconds }) =>
    new Promise((resolve, reject) => {
      child.once('message', ({ result, error }) => (error === undefined ? resolve(result) : reject(new Error(`${server.name}: ${error}`))));
      const options = { name: server.name, port: server.port, request, status, rate, milliseconds, connections: CONNECTIONS };
      child.send({ kind, options });
    });
  return {
    /**
     * Sends requests at random times, `rate` a second in the mean, whether or not earlier ones were answered.
     *
     * @returns `p50` and `p99` in milliseconds from when each was due, `late` (p99 of how late the generator itself was) and `count`
     */
    openLoad: (options) => ask('openLoad', options),
    /** Requests a second while all connections always have one waiting. */
    capacity: async (options) => (await ask('capacity', options)).rate,
    stop: () => child.disconnect(),
  };
}

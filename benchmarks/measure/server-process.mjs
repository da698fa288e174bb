import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BENCHMARKS = new URL('..', import.meta.url);

/**
 * Starts a server of `servers/` in a process of its own.
 *
 * @param options `benchmarks`: that folder of another checkout, which measures its code
 */
export function startServer(name, { execPath = process.execPath, execArgv = [], env = {}, benchmarks = BENCHMARKS } = {}) {
  const child = fork(fileURLToPath(new URL(`servers/${name}.mjs`, benchmarks)), {
    execPath,
    execArgv,
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const usage = () =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send('usage');
    });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    child.once('message', ({ port }) => {
      resolve({ name, port, child, url: `http://127.0.0.1:${port}`, usage, stop: () => child.disconnect() });
    });
  });
}

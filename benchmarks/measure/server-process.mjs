import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a server of `servers/` in a process of its own. */
export function startServer(name, { execPath = process.execPath, execArgv = [], env = {} } = {}) {
  const child = fork(fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url)), {
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

import { spawn, spawnSync } from 'node:child_process';
import net from 'node:net';

/** @returns a Redis of its own that keeps nothing, with `url` and `stop`; `undefined` where `redis-server` is not installed */
export async function startRedis() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const server = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  return { url: `redis://127.0.0.1:${port}`, stop: () => server.kill('SIGKILL') };
}

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

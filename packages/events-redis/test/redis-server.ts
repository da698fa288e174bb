import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Whether Debian's `redis-server`, or another one, is installed. */
export const isInstalled: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis of its own for a test. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Kills it; what it had is gone. */
  kill(): Promise<void>;
}

export async function startRedis(port?: number): Promise<RedisServer> {
  const free = port ?? (await freePort());
  const server = spawn('redis-server', ['--port', String(free), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(output)));
  });
  return {
    port: free,
    url: `redis://127.0.0.1:${free}`,
    async kill() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

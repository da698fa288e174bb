import { spawnSync } from 'node:child_process';
import { freePort } from './free-port.ts';
import { Program } from './program.ts';

/** Whether Debian's `redis-server`, or another one, is installed. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis of its own for a test. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Kills it; what it had is gone. */
  kill(): Promise<void>;
}

/**
 * @param port Default: one that is free
 * @param settings more of the program's own, for example `['--requirepass', 'secret']`
 */
export async function startRedis(port?: number, settings: readonly string[] = []): Promise<RedisServer> {
  const listens = port ?? (await freePort());
  const options = ['--port', String(listens), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...settings];
  const server = await Program.start(['redis-server', ...options], { until: 'Ready to accept connections' });
  return {
    port: listens,
    url: `redis://127.0.0.1:${listens}`,
    async kill() {
      await server.end('SIGKILL');
    },
  };
}

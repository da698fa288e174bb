import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DocDbServerOptions } from './server.ts';

/** Variables of the environment with the first user. */
export const USER_VARIABLE = 'DOCDB_USER';
export const PASSWORD_VARIABLE = 'DOCDB_PASSWORD';
/** Milliseconds that a process has to end by itself. */
const STOP_LIMIT = 15_000;

/** A server in a process of its own. */
export interface SpawnedServer {
  /** URL for the driver. */
  readonly uri: string;
  /** Stops the server and ends its process. */
  stop(): Promise<void>;
}

/**
 * Starts a server in a process of its own, which ends with this one, however this one ends.
 *
 * @param options options of the server
 * @throws Error with what the process said when it could not start
 */
export function spawnServer(options: Omit<DocDbServerOptions, 'unref' | 'host'>): Promise<SpawnedServer> {
  const args = ['--port', String(options.port ?? 0), '--sync', options.sync ?? 'always'];
  if (options.path !== undefined) args.push('--path', options.path);
  if (options.maxSize !== undefined) args.push('--max-size', String(options.maxSize));
  if (options.failPoints === true) args.push('--fail-points');
  const { auth = false, tls } = options;
  if (auth !== false) args.push('--auth');
  if (tls) args.push('--tls-cert', tls.certFile, '--tls-key', tls.keyFile);
  if (tls?.caFile !== undefined) args.push('--tls-ca', tls.caFile);
  // Arguments can be read by others on the machine, and the environment of a process can not.
  const { [USER_VARIABLE]: _user, [PASSWORD_VARIABLE]: _password, ...env } = process.env;
  const first = typeof auth === 'object' ? { [USER_VARIABLE]: auth.user, [PASSWORD_VARIABLE]: auth.password } : {};
  const child = fork(fileURLToPath(new URL('./cli.js', import.meta.url)), args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...env, ...first },
  });
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  return new Promise((resolve, reject) => {
    let output = '';
    let problems = '';
    let state: 'starts' | 'runs' | 'stops' = 'starts';
    child.stderr?.on('data', (text: Buffer) => {
      // What it says later is for whoever reads the log of this process.
      if (state === 'starts') problems += text.toString();
      else process.stderr.write(text);
    });
    child.stdout?.on('data', (text: Buffer) => {
      output += text.toString();
      const [uri, rest] = output.split('\n', 2);
      if (uri === undefined || rest === undefined) return;
      state = 'runs';
      resolve({
        uri,
        async stop() {
          state = 'stops';
          if (child.connected) child.disconnect();
          // One that does not end is ended: what it has acknowledged is on the disk.
          const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
          await ended;
          clearTimeout(timer);
        },
      });
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const how = `by ${signal ?? `code ${String(code)}`}`;
      const why =
        options.path === undefined ? '' : `: ${options.path} may be damaged. Start it on a copy of the folder if that happens again`;
      if (state === 'runs') console.error(`docdb-embedded: the process of the database has ended ${how}${why}`);
      reject(new Error(problems.trim() || `The embedded database ended while it started, ${how}${why}`));
    });
  });
}

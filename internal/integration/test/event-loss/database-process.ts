import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteLeftOut } from '@framework-internal/testing';
import { freePort } from '@framework-internal/testing/free-port';

const PROGRAM = fileURLToPath(new URL('../../../../packages/docdb-embedded/dist/cli.js', import.meta.url));

/** The database of a test, in a process of its own. */
export interface DatabaseProcess {
  readonly uri: string;
  /** Whether it can be killed: the embedded one can. */
  readonly isOurs: boolean;
  /** Kills it as the system does, and starts it again at the same place. */
  kill(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** That of `DOCDB_URL`, which nobody kills, or the embedded one. */
export async function startDatabaseProcess(): Promise<DatabaseProcess> {
  const { DOCDB_URL } = process.env;
  if (DOCDB_URL) {
    noteLeftOut('left out: killing the database of DOCDB_URL in the loss test');
    return { uri: DOCDB_URL, isOurs: false, kill: (meanwhile) => meanwhile().then(ignore), stop: () => Promise.resolve() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'loss-'));
  const port = await freePort();
  let running = await start(folder, port);
  const end = async (): Promise<void> => {
    const ended = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await ended;
  };
  return {
    uri: running.uri,
    isOurs: true,
    async kill(meanwhile) {
      await end();
      await meanwhile();
      running = await start(folder, port);
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(folder: string, port: number): Promise<{ readonly child: ChildProcess; readonly uri: string }> {
  const args = ['--port', String(port), '--path', folder];
  const child = fork(PROGRAM, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
  let problems = '';
  child.stderr?.on('data', (text: Buffer) => (problems += String(text)));
  const uri = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(String(text).trim()));
    child.once('exit', () => reject(new Error(problems)));
  });
  return { child, uri };
}

function ignore(): void {
  // Nothing was killed.
}

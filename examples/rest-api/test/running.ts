import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** The built program. */
export const main = join(import.meta.dirname, '../dist/main.js');

/** The example in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: string;
}

/**
 * Starts the example as a user does, and waits for its introduction.
 *
 * @param dataDir folder of its database
 * @param databaseUrl of another database. Default: none, so that it has one of its own in the folder
 */
export function start(dataDir: string, databaseUrl = ''): Promise<Running> {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DOCDB_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      const url = /ready at (\S+)/.exec(output)?.[1];
      if (url !== undefined && output.includes('Write (')) resolve({ child, url, output });
    });
    child.once('exit', () => {
      reject(new Error(`the example ended: ${output}`));
    });
  });
}

/** Ends it by a signal. */
export async function stop({ child }: Running, signal: NodeJS.Signals): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server of a guide, which tells its address first. */
export interface RunningGuide {
  readonly folder: string;
  readonly server: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs the code of a guide in a process of its own.
 *
 * @param code of a module, as the guide has it
 * @param env variables beside those of the tests. Default: none
 */
export async function startGuide(code: string, env: Readonly<Record<string, string>> = {}): Promise<RunningGuide> {
  // Beside the tests, where the packages are installed.
  const folder = mkdtempSync(join(import.meta.dirname, 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'app.js'), code);
  const server = spawn(process.execPath, ['app.js'], { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.kill('SIGTERM')) await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      server.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`));
      server.stdout.once('data', (chunk: Buffer) => {
        resolve(chunk.toString().trim());
      });
      server.once('exit', () => {
        reject(new Error(output));
      });
    });
    return { folder, server, url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The server of a guide, which tells its address first. */
export interface RunningGuide {
  readonly folder: string;
  readonly server: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Writes files of a guide where its packages are installed, beside the tests.
 *
 * @param files by name
 * @returns the folder, for the caller to remove
 */
export function writeGuide(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(import.meta.dirname, 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  return folder;
}

/**
 * Runs the code of a guide in a process of its own.
 *
 * @param code of a module, as the guide has it
 * @param env variables beside those of the tests. Default: none
 * @param files that are written beside it. Default: none
 */
export async function startGuide(
  code: string,
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<RunningGuide> {
  const folder = writeGuide({ ...files, 'app.js': code });
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

const BETWEEN = '--- the next command of the guide ---';

/**
 * Runs the commands of a guide, one behind the other in one shell, so that later ones see variables of earlier ones.
 *
 * @param url of the server that they mean by `localhost:3030`
 * @returns what each has printed
 */
export async function runCommands(commands: readonly string[], folder: string, url: string): Promise<string[]> {
  const script = `set -eo pipefail\n${commands.join(`\necho; echo '${BETWEEN}'\n`)}`
    .replaceAll('http://localhost:3030', url)
    .replaceAll('localhost:3030', url);
  // A test run within tests would report to the runner around it.
  const { NODE_TEST_CONTEXT: _runner, NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env, maxBuffer: 10_000_000 });
  return stdout.split(BETWEEN).map((text) => text.trim());
}

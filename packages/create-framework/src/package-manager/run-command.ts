import { spawn } from 'node:child_process';

/** How a command ended. */
export interface CommandEnd {
  readonly ok: boolean;
  /** All that it said, its last 100,000 characters. */
  readonly output: string;
}

const KEPT = 100_000;

/**
 * Runs a command whose words have no spaces, without input: it can ask nothing.
 *
 * @param cwd folder in which it runs
 */
export function runCommand(command: string, cwd: string): Promise<CommandEnd> {
  const [program = '', ...args] = command.split(' ');
  // What npm has set for this command is not meant for those that it runs; tools for development are installed whatever NODE_ENV says.
  const { npm_config_dry_run: _dryRun, npm_config_json: _json, ...env } = process.env;
  // On Windows package managers are scripts, which only a shell runs.
  const shell = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, shell, stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, NODE_ENV: 'development' } });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => {
      resolve({ ok: false, output: `${output}${error.message}\n` });
    });
    child.once('close', (code, signal) => {
      resolve({ ok: code === 0, output: signal === null ? output : `${output}It was ended by ${signal}\n` });
    });
  });
}

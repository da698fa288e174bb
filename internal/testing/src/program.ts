import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/** How a program is started. */
export interface ProgramOptions {
  /** What it has printed once it is ready. Colours are no part of it. */
  readonly until: string;
  /** Default: the environment of the test. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A program that a test has started. It ends with the test's process, whatever becomes of the test. */
export class Program {
  readonly #child: ChildProcess;
  #printed = '';

  private constructor([file, ...args]: readonly [string, ...string[]], { env = process.env }: ProgramOptions) {
    // Streams of its own: one that held those of the test would keep whoever reads them waiting.
    this.#child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => (this.#printed += stripVTControlCharacters(chunk)));
    process.once('exit', this.#kill);
  }

  /** @throws Error with what it has printed, when it ends before it is ready */
  static async start(command: readonly [string, ...string[]], options: ProgramOptions): Promise<Program> {
    const program = new Program(command, options);
    const child = program.#child;
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => reject(new Error(`${command.join(' ')} ended: ${program.printed}`)));
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', () => {
          if (program.printed.includes(options.until)) resolve();
        });
    });
    return program;
  }

  /** What it has printed, on both streams, without colours. */
  get printed(): string {
    return this.#printed;
  }

  /** Ends it, and tells its exit code and the signal that ended it. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    process.off('exit', this.#kill);
    return [child.exitCode, child.signalCode];
  }

  readonly #kill = (): void => {
    this.#child.kill('SIGKILL');
  };
}

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The browser of Debian; `undefined` where it is not installed. */
export const CHROMIUM: string | undefined = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Chromium without a window, with a profile of its own that goes with it. */
export class ChromiumProcess {
  readonly child: ChildProcess;
  readonly profile: string;

  /**
   * @param program path of the browser
   * @param option how it is driven
   */
  constructor(program: string, option: string, stdio: StdioOptions = 'ignore') {
    this.profile = mkdtempSync(join(tmpdir(), 'chromium-'));
    const options = ['--headless', '--no-sandbox', '--disable-gpu', option, `--user-data-dir=${this.profile}`];
    this.child = spawn(program, [...options, 'about:blank'], { stdio, detached: true });
    process.once('exit', this.#kill);
  }

  /** The browser is many processes, all of which write to the profile: they end together. */
  readonly #kill = (): void => {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  };

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.#kill();
    await ended;
    process.off('exit', this.#kill);
    await rm(this.profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  }
}

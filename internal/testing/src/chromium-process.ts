import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The browser of Debian; `undefined` where it is not installed. */
export const CHROMIUM: string | undefined = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** What keeps a page quick and steady that nobody looks at, also where shared memory is small. */
const OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-renderer-backgrounding',
  '--no-default-browser-check',
  '--no-first-run',
  '--remote-debugging-pipe',
];

/** Chromium without a window, driven through a pipe, with a profile of its own that goes with it. */
export class ChromiumProcess {
  readonly child: ChildProcess;
  /** Resolves when the browser has ended, by itself or not. */
  readonly ended: Promise<void>;
  readonly #profile: string;

  /** @param program path of the browser */
  constructor(program: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'chromium-'));
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'];
    // It makes folders of its own beside the profile, which stay where it is killed.
    const env = { ...process.env, TMPDIR: this.#profile };
    this.child = spawn(program, [...OPTIONS, `--user-data-dir=${this.#profile}`, 'about:blank'], { stdio, detached: true, env });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => resolve()).once('error', () => resolve());
    });
    process.once('exit', this.#kill);
  }

  /** The browser is many processes, all of which write to the profile: they end together. */
  readonly #kill = (): void => {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  };

  async stop(): Promise<void> {
    this.#kill();
    await this.ended;
    process.off('exit', this.#kill);
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  }
}

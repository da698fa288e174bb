import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
    this.child = spawn(program, [...options, 'about:blank'], { stdio });
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

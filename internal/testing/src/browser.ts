import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from './http-client.ts';

/** The browser of Debian, where it is installed. */
export const CHROMIUM: string | undefined = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Path to which pages send what they have seen. */
export const SEEN = '/seen';

/** Chromium without a window, which keeps its cookies while it runs. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  #url = '';
  #seen: ((text: string) => void) | undefined;

  private constructor(program: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'chromium-'));
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${this.#profile}`];
    this.#process = spawn(program, [...options, 'about:blank'], { stdio: 'ignore' });
  }

  /** @param program path of the browser */
  static async start(program: string): Promise<Browser> {
    const browser = new Browser(program);
    const port = join(browser.#profile, 'DevToolsActivePort');
    while (!existsSync(port) || readFileSync(port, 'utf8') === '') {
      if (browser.#process.exitCode !== null) throw new Error(`${program} ended with ${browser.#process.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    browser.#url = `http://127.0.0.1:${readFileSync(port, 'utf8').split('\n', 1)[0] ?? ''}`;
    return browser;
  }

  /** Opens a page, and gives what it sends of what it has seen. */
  async open(url: string): Promise<unknown> {
    const seen = new Promise<string>((resolve) => {
      this.#seen = resolve;
    });
    await this.visit(url);
    return JSON.parse(await seen);
  }

  /** Opens a page. */
  async visit(url: string): Promise<void> {
    const { status, text } = await send(this.#url, `/json/new?${url}`, { method: 'PUT' });
    if (status !== 200) throw new Error(`The page was not opened: ${text}`);
  }

  /** Takes what a page sends to {@link SEEN}. */
  async take(req: IncomingMessage): Promise<void> {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    this.#seen?.(text);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

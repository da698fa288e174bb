import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { ChromiumProcess } from './chromium-process.ts';
import { send } from './http-client.ts';

export { CHROMIUM } from './chromium-process.ts';

/** Path to which pages send what they have seen. */
export const SEEN = '/seen';

/** Chromium without a window, which keeps its cookies while it runs. */
export class Browser {
  readonly #browser: ChromiumProcess;
  #url = '';
  #seen: ((text: string) => void) | undefined;

  private constructor(program: string) {
    this.#browser = new ChromiumProcess(program, '--remote-debugging-port=0');
  }

  /** @param program path of the browser */
  static async start(program: string): Promise<Browser> {
    const browser = new Browser(program);
    const { child, profile } = browser.#browser;
    const port = join(profile, 'DevToolsActivePort');
    while (!existsSync(port) || readFileSync(port, 'utf8') === '') {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
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
    await this.#browser.stop();
  }
}

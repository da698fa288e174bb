import type { Readable, Writable } from 'node:stream';
import { ChromiumProcess } from './chromium-process.ts';

export { CHROMIUM } from './chromium-process.ts';

/** Milliseconds that the browser gets for a command: it says nothing of a page that has crashed. */
const LIMIT = 60_000;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** Chromium without a window: one page to look at, and others beside it, whose scripts see the same as those of a person's browser. */
export class Chromium {
  readonly #browser: ChromiumProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #count = 0;
  #session: string | undefined;
  #text = '';

  private constructor(program: string) {
    this.#browser = new ChromiumProcess(program);
    void this.#browser.ended.then(() => {
      this.#failAll('Chromium has ended');
    });
    // A browser that has ended takes no commands; who waits for their answers is told.
    this.#browser.child.stdio[3]?.on('error', () => undefined);
    const output = this.#browser.child.stdio[4] as Readable;
    output.setEncoding('utf8').on('data', (chunk: string) => {
      this.#take(chunk);
    });
  }

  static async start(program: string): Promise<Chromium> {
    const browser = new Chromium(program);
    const { targetId } = await browser.#send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.#send('Target.attachToTarget', { targetId, flatten: true });
    browser.#session = String(sessionId);
    return browser;
  }

  /** Opens a page in place of the one before. */
  async open(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
  }

  /** Opens a page beside the one that is looked at. */
  async openTab(url: string): Promise<void> {
    await this.#send('Target.createTarget', { url }, {});
  }

  /** Runs an expression in the page. */
  async run(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(`The page failed: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value?: unknown }).value;
  }

  /** Waits until an expression is true, also while the page changes to another. */
  async until(expression: string): Promise<void> {
    for (let round = 0; round < 2400; round++) {
      // A page that is being left has nothing to run in.
      if (await this.run(expression).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(
      `This was never true: ${expression}. The page is ${String(await this.run('location.href + document.body.innerText').catch(String))}`,
    );
  }

  /**
   * Sends a command of the DevTools protocol to the page.
   *
   * @param method for example `Input.dispatchKeyEvent`
   */
  async command(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.#send(method, params);
  }

  async stop(): Promise<void> {
    await this.#browser.stop();
  }

  async #send(method: string, params: object, session = this.#target): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#count;
    const { child } = this.#browser;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('Chromium has ended');
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    const timer = setTimeout(() => {
      this.#answer({ id, error: { message: `Chromium did not answer ${method} within ${LIMIT / 1000} s` } });
    }, LIMIT);
    (child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result, error } = await answer;
    clearTimeout(timer);
    if (error) throw new Error(error.message);
    return result ?? {};
  }

  /** What a command goes to: the page, once there is one. */
  get #target(): { readonly sessionId?: string } {
    return this.#session === undefined ? {} : { sessionId: this.#session };
  }

  #take(chunk: string): void {
    const messages = `${this.#text}${chunk}`.split('\0');
    this.#text = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.method === 'Inspector.targetCrashed') this.#failAll('The page has crashed');
      this.#answer(message);
    }
  }

  #answer(message: Message): void {
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  #failAll(message: string): void {
    for (const id of [...this.#waiting.keys()]) this.#answer({ id, error: { message } });
  }
}

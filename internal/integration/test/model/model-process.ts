import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@framework-internal/testing/database';

interface Message {
  readonly port?: number;
  readonly number?: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** What became of an order. */
export type Outcome = { readonly kind: 'done'; readonly value: unknown } | { readonly kind: 'failed' } | { readonly kind: 'dead' };

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

/**
 * One process of the model test; it can be killed and started again. Another one waits beside it, which has done nothing yet and
 * takes its place at once: most of the time of the test would go into starting processes.
 */
export class ModelProcess {
  readonly #database: TestDatabase;
  readonly #clock: number;
  #child: ChildProcess | undefined;
  #waiting: Promise<Started> | undefined;
  #orders = 0;
  url = '';

  /** @param clock milliseconds that its clock is off */
  constructor(database: TestDatabase, clock: number) {
    this.#database = database;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    const { child, url } = await (this.#waiting ?? this.#fork());
    [this.#child, this.url] = [child, url];
    this.#waiting = this.#fork();
    // Whoever starts it is told.
    this.#waiting.catch(() => undefined);
  }

  async #fork(): Promise<Started> {
    const env = { ...process.env, DATABASE_URL: this.#database.uri, DATABASE: this.#database.db.databaseName, CLOCK: String(this.#clock) };
    const file = fileURLToPath(new URL('./model-server.mjs', import.meta.url));
    const child = fork(file, { env, execArgv: ['--no-warnings'] });
    child.setMaxListeners(100);
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [{}])])) as [Message];
    if (message.port === undefined) throw new Error('the process ended');
    return { child, url: `http://127.0.0.1:${message.port}` };
  }

  /** Gives an order, and tells what became of it. */
  async order(order: string, options: object = {}): Promise<Outcome> {
    const number = (this.#orders += 1);
    const child = this.#child as ChildProcess;
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        child.off('message', answered).off('exit', died);
        resolve(outcome);
      };
      const answered = (message: Message): void => {
        if (message.number === number) end(message.error === undefined ? { kind: 'done', value: message.value } : { kind: 'failed' });
      };
      const died = (): void => end({ kind: 'dead' });
      child.on('message', answered).on('exit', died);
      child.send({ order, number, ...options });
    });
  }

  /** SIGKILL, whatever it is doing. */
  async kill(): Promise<void> {
    const child = this.#child as ChildProcess;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    const waiting = await this.#waiting?.catch(() => undefined);
    for (const child of [this.#child, waiting?.child]) if (child?.connected === true) child.disconnect();
  }
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@framework-internal/testing';

interface Message {
  readonly port?: number;
  readonly number?: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** What became of an order. */
export type Outcome = { readonly kind: 'done'; readonly value: unknown } | { readonly kind: 'failed' } | { readonly kind: 'dead' };

/** One process of the model test; it can be killed and started again. */
export class ModelProcess {
  readonly #database: TestDatabase;
  readonly #clock: number;
  #child: ChildProcess | undefined;
  #orders = 0;
  url = '';

  /** @param clock milliseconds that its clock is off */
  constructor(database: TestDatabase, clock: number) {
    this.#database = database;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    const env = { ...process.env, DATABASE_URL: this.#database.uri, DATABASE: this.#database.db.databaseName, CLOCK: String(this.#clock) };
    const file = fileURLToPath(new URL('./model-server.mjs', import.meta.url));
    const child = fork(file, { env, execArgv: ['--no-warnings'] });
    child.setMaxListeners(100);
    this.#child = child;
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [{}])])) as [Message];
    if (message.port === undefined) throw new Error('the process ended');
    this.url = `http://127.0.0.1:${message.port}`;
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

  stop(): void {
    if (this.#child?.connected === true) this.#child.disconnect();
  }
}

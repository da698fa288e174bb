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
    const child = fork(fileURLToPath(new URL('./fixtures/model-server.mjs', import.meta.url)), { env, execArgv: [] });
    child.setMaxListeners(100);
    this.#child = child;
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [{}])])) as [Message];
    if (message.port === undefined) throw new Error('the process ended');
    this.url = `http://127.0.0.1:${message.port}`;
  }

  /** Gives an order, and its answer. */
  async order(order: string, options: object = {}): Promise<{ readonly value?: unknown; readonly error?: string }> {
    const number = (this.#orders += 1);
    const child = this.#child as ChildProcess;
    const answered = new Promise<Message>((resolve) => {
      const listener = (message: Message): void => {
        if (message.number !== number) return;
        child.off('message', listener);
        resolve(message);
      };
      child.on('message', listener);
    });
    child.send({ order, number, ...options });
    return answered;
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

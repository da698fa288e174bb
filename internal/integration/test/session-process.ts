import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@framework-internal/testing/database';
import { sendJson, type Answer } from './harness.ts';
import { ANN, SECRET } from './session-server.ts';

interface Message {
  readonly port?: number;
  readonly number?: number;
  readonly error?: string;
}

/** A process of applications with sessions, which kills itself at a step when it is told to (`fixtures/session-server.mjs`). */
export class SessionProcess {
  readonly #child: ChildProcess;
  #orders = 0;
  /** Of its first application. */
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @param applications how many applications are in it, each of which is to the others as that of another process */
  static async start(database: TestDatabase, applications = 1): Promise<SessionProcess> {
    const env = {
      ...process.env,
      DATABASE_URL: database.uri,
      DATABASE: database.db.databaseName,
      SECRET,
      APPLICATIONS: String(applications),
    };
    const child = fork(fileURLToPath(new URL('./fixtures/session-server.mjs', import.meta.url)), { env, execArgv: [] });
    const port = await new Promise<number>((resolve, reject) => {
      child.once('message', ({ port: given = 0 }: Message) => resolve(given));
      child.once('exit', () => reject(new Error('the process ended')));
    });
    return new SessionProcess(child, port);
  }

  /**
   * @param step a time and a command, for example `before refresh`, or `never`
   * @param count how many applications have to be there
   */
  async dieAt(step: string, count = 1): Promise<void> {
    await this.#order({ step, count });
  }

  /** Calls a method of the users of one application; resolves when it is done, or the process is dead. */
  async users(at: number, method: string, ...args: unknown[]): Promise<'done' | 'dead'> {
    const answer = await this.#order({ at, method, args });
    if (answer?.error !== undefined) throw new Error(`users.${method}: ${answer.error}`);
    return answer ? 'done' : 'dead';
  }

  /** @returns the answer; `undefined` when the process is dead */
  #order(order: object): Promise<Message | undefined> {
    const number = (this.#orders += 1);
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (message?: Message): void => {
        child.off('message', answered).off('exit', died);
        resolve(message);
      };
      const answered = (message: Message): void => (message.number === number ? end(message) : undefined);
      const died = (): void => end();
      child.on('message', answered).on('exit', died);
      child.send({ number, ...order });
    });
  }

  /** Ann logs in, or another user with her password. */
  async logIn(email: string = ANN.email): Promise<Answer> {
    return sendJson(this.url, 'POST', '/authentication', { ...ANN, email });
  }

  async refresh(refreshToken: string): Promise<Answer> {
    return sendJson(this.url, 'POST', '/authentication', { strategy: 'refresh', refreshToken });
  }

  /** SIGKILL, whatever it is doing. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@framework-internal/testing/database';
import { sendJson, type Answer } from './harness.ts';
import { ANN, SECRET } from './session-server.ts';

/** A process of an application with sessions, which kills itself at a step when it is told to (`fixtures/session-server.mjs`). */
export class SessionProcess {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(database: TestDatabase): Promise<SessionProcess> {
    const env = { ...process.env, DATABASE_URL: database.uri, DATABASE: database.db.databaseName, SECRET };
    const child = fork(fileURLToPath(new URL('./fixtures/session-server.mjs', import.meta.url)), { env, execArgv: [] });
    const port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message: { port: number }) => resolve(message.port));
      child.once('exit', () => reject(new Error('the process ended')));
    });
    return new SessionProcess(child, port);
  }

  /** @param step a time and a command, for example `before refresh`, or `never` */
  async dieAt(step: string): Promise<void> {
    const told = once(this.#child, 'message');
    this.#child.send({ step });
    await told;
  }

  /** Calls a method of the users; resolves when it is done, or the process is dead. */
  async users(method: string, ...args: unknown[]): Promise<'done' | 'dead'> {
    const done = once(this.#child, 'message').then(([outcome]) => {
      if ((outcome as { error?: string }).error !== undefined) throw new Error(`users.${method}: ${(outcome as { error: string }).error}`);
      return 'done' as const;
    });
    const dead = once(this.#child, 'exit').then(() => 'dead' as const);
    this.#child.send({ method, args });
    return Promise.race([done, dead]);
  }

  /** Ann logs in. */
  async logIn(): Promise<Answer> {
    return sendJson(this.url, 'POST', '/authentication', ANN);
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

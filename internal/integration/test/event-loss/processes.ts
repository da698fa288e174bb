import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@framework-internal/testing/free-port';

const PROGRAM = fileURLToPath(new URL('../fixtures/event-server.mjs', import.meta.url));

/** Processes with one durable service, over one database. */
export class Processes {
  readonly ports: number[] = [];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running: ChildProcess[] = [];
  /** Those that have loaded what they need, and wait for their turn. */
  readonly #waiting: (ChildProcess | undefined)[] = [];

  private constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** @param database its URL, and a name in it */
  static async start(count: number, database: { readonly uri: string; readonly name: string }): Promise<Processes> {
    const processes = new Processes({ ...process.env, DATABASE_URL: database.uri, DATABASE: database.name });
    for (let index = 0; index < count; index++) {
      processes.ports.push(await freePort());
      await processes.startAgain(index);
    }
    return processes;
  }

  /** Has one ready that takes the place of another as soon as that has ended. */
  async makeReady(index: number): Promise<void> {
    this.#waiting[index] = await this.#load(index);
  }

  /** Starts one that has ended. */
  async startAgain(index: number): Promise<void> {
    const started = this.#waiting[index] ?? (await this.#load(index));
    this.#waiting[index] = undefined;
    this.#running[index] = started;
    const listens = heardOf(started, index);
    started.send('start');
    await listens;
  }

  async #load(index: number): Promise<ChildProcess> {
    const loaded = fork(PROGRAM, { env: { ...this.#environment, PORT: String(this.ports[index]) }, execArgv: [] });
    await heardOf(loaded, index);
    return loaded;
  }

  /** Ends one as the system does. */
  kill(index: number): void {
    this.#running[index]?.kill('SIGKILL');
  }

  /** Asks one to end, and waits until it has. */
  async end(index: number): Promise<void> {
    const ended = once(this.#running[index] as ChildProcess, 'exit');
    this.#running[index]?.kill('SIGTERM');
    await ended;
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.#running, ...this.#waiting].map(async (each) => {
        if (!each || each.exitCode !== null || each.signalCode !== null) return;
        const ended = once(each, 'exit');
        each.kill('SIGKILL');
        await ended;
      }),
    );
  }
}

async function heardOf(child: ChildProcess, index: number): Promise<void> {
  const ended = (): Promise<never> => Promise.reject(new Error(`process ${index} ended while it started`));
  await Promise.race([once(child, 'message'), once(child, 'exit').then(ended)]);
}

/** What became of a write: `refused` when no process has taken it, `unknown` when the answer was lost. */
export type Written = 'written' | 'refused' | 'unknown';

/** Writes a numbered record over REST. */
export async function write(port: number | undefined, number: number): Promise<Written> {
  const init = { method: 'POST', body: JSON.stringify({ number }), headers: { 'content-type': 'application/json' } };
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/messages`, init);
    return status === 201 ? 'written' : 'unknown';
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    return code === 'ECONNREFUSED' ? 'refused' : 'unknown';
  }
}

/**
 * Writes once by each process: whoever has got the last of these has all that was in front of it.
 *
 * @param highest number that was written before
 * @returns the number that was written last
 */
export async function writeLast(ports: readonly number[], highest: number): Promise<number> {
  let number = highest;
  for (const port of ports) {
    do number += 1;
    while ((await write(port, number)) !== 'written');
  }
  return number;
}

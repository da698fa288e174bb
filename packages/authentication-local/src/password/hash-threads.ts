import { Worker } from 'node:worker_threads';
import { unavailable } from '@framework/errors';
import { findBindings } from './bindings.ts';

/** Work that a thread does. */
export interface HashWork {
  argonHash(password: string, options: object): string;
  argonVerify(hash: string, password: string): boolean;
  bcryptVerify(password: string, hash: string): boolean;
}

/**
 * What a thread runs. A text, since the sources and the build lie in different places; it loads the bindings by their full path.
 * The threads are hashing's own, so that tokens and files keep the pool that they share, and come after everything else
 * where the system knows priorities of threads (decisions 0007).
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
if (process.platform === 'linux') require('node:os').setPriority(0, 19);
const argon2 = require(workerData.argon2);
const bcrypt = require(workerData.bcrypt);
const work = { argonHash: argon2.hashSync, argonVerify: argon2.verifySync, bcryptVerify: bcrypt.verifySync };
parentPort.on('message', ([name, ...args]) => {
  try {
    parentPort.postMessage({ value: work[name](...args) });
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message) });
  }
});
`;

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

const idle: Worker[] = [];

/** What the binding says of its arguments, such as a hash that it can not read. */
export class BindingError extends Error {
  override readonly name = 'BindingError';
}

/**
 * Runs work on a thread of its own; one is made when none is idle. The caller bounds how many run at once.
 *
 * @throws BindingError; Unavailable (503) when the thread ends, which says nothing of the arguments; Error where the bindings are not installed
 */
export async function onThread<N extends keyof HashWork>(name: N, ...args: Parameters<HashWork[N]>): Promise<ReturnType<HashWork[N]>> {
  const thread = idle.pop() ?? startThread();
  thread.ref();
  try {
    const reply = await ask(thread, [name, ...args]);
    idle.push(thread);
    if (reply.error !== undefined) throw new BindingError(reply.error);
    return reply.value as ReturnType<HashWork[N]>;
  } finally {
    // An idle thread does not keep the process alive.
    thread.unref();
  }
}

function startThread(): Worker {
  const thread = new Worker(THREAD, { eval: true, workerData: findBindings() });
  thread.on('exit', () => {
    const index = idle.indexOf(thread);
    if (index >= 0) idle.splice(index, 1);
  });
  return thread;
}

function ask(thread: Worker, message: readonly unknown[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      thread.off('message', replied).off('error', failed).off('exit', ended);
    };
    const replied = (reply: Reply): void => {
      done();
      resolve(reply);
    };
    const failed = (error: Error): void => {
      done();
      reject(unavailable('Passwords can not be looked at at present', error));
    };
    const ended = (): void => {
      failed(new Error('The hashing thread has ended'));
    };
    thread.on('message', replied).on('error', failed).on('exit', ended);
    thread.postMessage(message);
  });
}

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../bin/framework-docdb.js');
const READ = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true, readPreference: 'primary' };
/** Milliseconds that an answer may take. */
const LIMIT = 8000;

/** A server to ask: that of `DOCDB_URL`, or one of its own, which is started again when it does not answer. */
export class AskedServer {
  #child;
  #client;

  async start() {
    const url = process.env.DOCDB_URL ?? (await this.#spawn());
    this.#client = await new MongoClient(url, {
      directConnection: true,
      socketTimeoutMS: LIMIT,
      serverSelectionTimeoutMS: LIMIT,
      retryReads: false,
      retryWrites: false,
      maxPoolSize: 16,
    }).connect();
  }

  #spawn() {
    const child = spawn(process.execPath, [PROGRAM, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child = child;
    return new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('The server ended while it started')));
      child.stdout.once('data', (text) => resolve(text.toString().split('\n')[0]));
    });
  }

  /** Runs a command. @returns `{ reply }` or `{ error }` */
  async ask(database, command) {
    try {
      return { reply: await this.#client.db(database).command(command, READ) };
    } catch (error) {
      const code = typeof error.code === 'object' ? Number(String(error.code)) : error.code;
      return { error: { code, message: error.message, lost: /^Mongo(Network|ServerSelection|PoolCleared)/.test(error.name) } };
    }
  }

  async stop() {
    await this.#client?.close();
    this.#child?.kill('SIGKILL');
  }

  async restart() {
    if (process.env.DOCDB_URL !== undefined) return;
    await this.stop();
    await this.start();
  }
}

import { isOfFollower, type RedisClient } from './redis-client.ts';
import type { Ask } from './stream-reader.ts';

/** Milliseconds after which a connection is taken for dead over which no answer has come. */
const DEAD = 20_000;

/**
 * Sends commands over the client of an application. That one may be in use for other things: where it is dead without having ended, or leads to a server that
 * follows another one by now, a connection of its own is taken in its place.
 */
export class Sender {
  readonly #client: RedisClient;
  /** The client is connected once: who closes it afterwards wants it closed. */
  #connected: Promise<unknown> | undefined;
  #own: RedisClient | undefined;
  #isStopped = false;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  /** @throws what Redis or the connection fail with, and Error where no answer comes, as a rejection */
  readonly ask: Ask = async (command) => {
    const used = this.#own;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`Redis has not answered within ${DEAD} ms`));
        this.#replace(used);
      }, DEAD).unref();
    });
    try {
      return await Promise.race([this.#send(used, command), late]);
    } catch (error) {
      if (isOfFollower(error)) this.#replace(used);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  /** Ends the connection of its own. */
  stop(): void {
    this.#isStopped = true;
    if (this.#own?.isOpen) this.#own.destroy();
    this.#own = undefined;
  }

  async #send(own: RedisClient | undefined, command: string[]): Promise<unknown> {
    if (own && !own.isOpen) await own.connect();
    if (!own) await (this.#connected ??= this.#connect());
    return (own ?? this.#client).sendCommand(command);
  }

  /** Events are made before the log starts too: an application listens by then. */
  async #connect(): Promise<void> {
    try {
      if (!this.#client.isOpen) await this.#client.connect();
    } catch (error) {
      this.#connected = undefined;
      throw error;
    }
  }

  /** @param used what failed; another command may have replaced it already */
  #replace(used: RedisClient | undefined): void {
    if (used !== this.#own || this.#isStopped) return;
    if (used?.isOpen) used.destroy();
    this.#own = this.#client.duplicate();
    // What it fails with the commands fail with too.
    this.#own.on('error', () => undefined);
  }
}

import { ToldSeldom } from '@framework/core';
import { isFrameworkError, unavailable } from '@framework/errors';
import type { HeldKey, IdempotencyStore, KeptCall } from './idempotency-store.ts';

/** Milliseconds until what failed is tried again; each time is twice as long as the one before, up to the longest. */
const WAIT = { first: 1000, longest: 30_000 };
/** Most keys, and letters of their outcomes, that wait for the store. */
const MOST = { keys: 10_000, letters: 50_000_000 };

interface Waiting {
  readonly held: HeldKey;
  readonly outcome: string | undefined;
  /** When the key has ended, by the stopwatch of this process. */
  readonly until: number;
}

/**
 * Takes keys for calls and writes down what came of these, also where the store can not be reached when they end: it is tried again until their keys end, as long
 * as this process lives.
 */
export class TakenKeys {
  readonly #store: IdempotencyStore;
  readonly #milliseconds: number;
  /** In the order in which they are tried. */
  readonly #waiting = new Set<Waiting>();
  #letters = 0;
  /** Each call would tell of a store that is down. */
  readonly #told = new ToldSeldom();
  /** Whether it is to be tried again, or is. */
  #isLeftToDo = false;

  /** @param milliseconds how long keys are taken */
  constructor(store: IdempotencyStore, milliseconds: number) {
    this.#store = store;
    this.#milliseconds = milliseconds;
  }

  /**
   * Takes a key.
   *
   * @returns `undefined` when it was free and is taken now, else the call that has it
   * @throws Unavailable (503) where the store fails, FrameworkError where it says why
   */
  async take(held: HeldKey, fingerprint: string): Promise<KeptCall | undefined> {
    try {
      return await this.#store.take(held, fingerprint, this.#milliseconds);
    } catch (error) {
      // It may be taken all the same, when only the answer was lost, and nothing will be made of this call: it would be "being made" until its end.
      await this.note(held, undefined);
      if (isFrameworkError(error)) throw error;
      throw unavailable('Keys of calls can not be taken at present: try again later', error);
    }
  }

  /**
   * Writes down what came of a call. It does not reject: what was done is done.
   *
   * @param outcome `undefined` where nothing was done: the key is given back
   */
  async note(held: HeldKey, outcome: string | undefined): Promise<void> {
    const waiting = { held, outcome, until: performance.now() + this.#milliseconds };
    try {
      await this.#write(waiting);
    } catch (error) {
      const isTriedAgain = this.#add(waiting);
      this.#later(WAIT.first);
      if (outcome !== undefined)
        this.#told.warn(
          `The answer of a call with an Idempotency-Key was not kept${isTriedAgain ? ' yet' : ''}: ${error instanceof Error ? error.message : String(error)}`,
        );
    }
  }

  async #write({ held, outcome }: Waiting): Promise<void> {
    await (outcome === undefined ? this.#store.free(held) : this.#store.keep(held, outcome));
  }

  /** @returns whether there was room */
  #add(waiting: Waiting): boolean {
    const letters = this.#letters + lettersOf(waiting);
    if (this.#waiting.size >= MOST.keys || letters > MOST.letters) return false;
    this.#letters = letters;
    this.#waiting.add(waiting);
    return true;
  }

  #later(milliseconds: number): void {
    if (this.#isLeftToDo) return;
    this.#isLeftToDo = true;
    setTimeout(() => void this.#tryAgain(milliseconds), milliseconds).unref();
  }

  async #tryAgain(waited: number): Promise<void> {
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      this.#letters -= lettersOf(waiting);
      if (waiting.until <= performance.now()) continue;
      try {
        await this.#write(waiting);
      } catch {
        // Behind the others: what can not be written at all stands in nobody's way.
        this.#add(waiting);
        break;
      }
    }
    this.#isLeftToDo = false;
    if (this.#waiting.size > 0) this.#later(Math.min(waited * 2, WAIT.longest));
  }
}

function lettersOf({ outcome }: Waiting): number {
  return outcome?.length ?? 0;
}

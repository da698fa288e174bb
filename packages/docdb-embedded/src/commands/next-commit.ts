import type { Store } from '../storage/store.ts';

/** Longest time that timers know, in milliseconds: a longer one would be over at once. */
const LONGEST = 2 ** 31 - 1;

/** Waits for what others write. */
export class NextCommit {
  readonly #store: Store;
  /** Ends the wait that is under way. */
  #wake: () => void = () => undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns when something was written, or the time is over */
  within(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#store.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, LONGEST));
      this.#store.listeners.add(done);
      this.#wake = done;
    });
  }

  /** Ends the wait. */
  stop(): void {
    this.#wake();
  }
}

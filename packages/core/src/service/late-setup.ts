import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Gate of a service that was registered after `app.setup`: calls wait until its own `setup` is done, except for those
 * that this `setup` makes itself.
 */
export class LateSetup {
  /** Whether `setup` still runs. */
  pending = false;
  #done: Promise<unknown> = Promise.resolve();
  readonly #inside = new AsyncLocalStorage<true>();

  /**
   * @param setup calls the service's `setup`
   * @returns settles with it; a failure is kept and given to every call that waits
   */
  start(setup: () => unknown): Promise<unknown> {
    this.pending = true;
    this.#done = this.#inside.run(true, async () => setup());
    this.#done.then(
      () => {
        this.pending = false;
        this.#inside.disable();
      },
      () => undefined,
    );
    return this.#done;
  }

  /** Resolves when a call may go on; rejects with the error of `setup`. */
  async wait(): Promise<void> {
    if (this.#inside.getStore() !== true) await this.#done;
  }
}

/** A start of a part of an application. */
export interface Turn {
  /** The ends that run, which are waited for; `undefined` for none. */
  readonly ending: Promise<unknown> | undefined;
  /**
   * To be called behind each step of the start.
   *
   * @param cause what the step has failed with
   * @throws Error when an end has begun since
   */
  refuseEnded(cause?: unknown): void;
}

/**
 * Starts and ends of a part of an application: what starts while it ends comes behind that, and what ends it while it starts keeps services from being set
 * up, as behind that.
 */
export class Turns {
  /** Rises with each end. */
  #ends = 0;
  #ending: Promise<unknown> | undefined;

  /** Begins a start: at once, where nothing is to be waited for. */
  begin(): Turn {
    const before = this.#ends;
    return {
      ending: this.#ending,
      refuseEnded: (cause) => {
        if (this.#ends === before) return;
        throw new Error(
          'app.teardown() was called before app.setup() had ended: the services are not set up',
          cause === undefined ? {} : { cause },
        );
      },
    };
  }

  /** Runs an end: starts from now on wait for it, whether it fails or not. */
  async end<T>(work: () => Promise<T>): Promise<T> {
    this.#ends += 1;
    const ended = work();
    const present = Promise.allSettled([this.#ending, ended]).then(() => {
      if (this.#ending === present) this.#ending = undefined;
    });
    this.#ending = present;
    return ended;
  }
}

/** Who waits for its turn to write. */
export interface Waiting {
  /** Waits; throws where it is not to go on. */
  until(ended: Promise<unknown>): Promise<void>;
}

/** Waits for as long as it takes. */
export const ANY_TIME: Waiting = {
  async until(ended) {
    await ended;
  },
};

/** Keeps writers out of the data, for as long as somebody holds it: it may be taken several times, and is given back as often. */
export class WriteLock {
  #count = 0;
  #ended: Promise<void> | undefined;
  #end: () => void = () => undefined;

  /** What writers wait for; `undefined` where nobody keeps them out. */
  get ended(): Promise<void> | undefined {
    return this.#ended;
  }

  /** How many times it is held. */
  get count(): number {
    return this.#count;
  }

  take(): void {
    this.#count += 1;
    this.#ended ??= new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Gives it back once, if it is held. */
  give(): void {
    this.#count = Math.max(0, this.#count - 1);
    if (this.#count === 0) this.release();
  }

  /** Lets all writers in, however many times it is held. */
  release(): void {
    this.#count = 0;
    this.#ended = undefined;
    this.#end();
  }
}

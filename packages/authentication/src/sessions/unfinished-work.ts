/** Work that is done again once the store answers; what is beyond that is found when sessions are read again. */
const MOST = 10_000;

/** Work on the store that failed: nobody knows whether it was done, so it is done again later, in order. */
export class UnfinishedWork {
  readonly #waiting: (() => Promise<unknown>)[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** @param work may be done twice */
  add(work: () => Promise<unknown>): void {
    if (this.#waiting.length < MOST) this.#waiting.push(work);
  }

  /** Does what waits. What fails again waits on, and all that is behind it. */
  async finish(): Promise<void> {
    while (this.#waiting[0]) {
      await this.#waiting[0]();
      this.#waiting.shift();
    }
  }
}

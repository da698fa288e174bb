/** Time in which a log is told once of the same, in milliseconds. */
const WHILE = 60_000;

/** Says of an error that logs are not told of it. Copies of this package know each other's. */
const UNTOLD: unique symbol = Symbol.for('@framework/untold');

/** Lets the log be told once in a while of what many callers can bring about, and of how many there were: none of them fills it. */
export class ToldSeldom {
  readonly #now: () => number;
  #tellAt = -Infinity;
  #untold = 0;

  /** @param now a clock, in milliseconds. Default: that of the process, which nobody puts back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param error as it is thrown to one of many
   * @param sentence what the log is told as the error's cause; how many were not told since the last time is added
   * @returns the same error, of which the log is told, or not
   */
  of<E extends Error>(error: E, sentence: string): E {
    const told = this.#next(sentence);
    if (told === undefined) return Object.defineProperty(error, UNTOLD, { value: true });
    return Object.defineProperty(error, 'cause', { value: new Error(told), configurable: true });
  }

  /**
   * Emits a warning of the process, once in a while: how many there were since the last one is added.
   *
   * @param sentence what it says
   */
  warn(sentence: string): void {
    const told = this.#next(sentence);
    if (told !== undefined) process.emitWarning(told);
  }

  /** @returns what is to be told now, or `undefined` */
  #next(sentence: string): string | undefined {
    const now = this.#now();
    if (now < this.#tellAt) {
      this.#untold += 1;
      return undefined;
    }
    const besides = this.#untold === 0 ? '' : ` (${String(this.#untold)} more since the last time)`;
    [this.#tellAt, this.#untold] = [now + WHILE, 0];
    return `${sentence}${besides}`;
  }
}

/** @returns whether logs are not told of an error, since they were told of one like it just now */
export function isUntold(error: unknown): boolean {
  return typeof error === 'object' && error !== null && UNTOLD in error;
}

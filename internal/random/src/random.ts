/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: number;

  /** @param seed any whole number */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** @returns a whole number below the limit */
  below(limit: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** @returns one of the values */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** @returns true once in so many calls */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }
}

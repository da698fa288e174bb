import type { LimiterCount, LimiterStore } from './limiter-store.ts';

/** Keys that are kept. */
const CAPACITY = 100_000;

/** Counts in this process alone. Bounded: keys whose window has ended go first, then those with the fewest attempts. */
export class MemoryLimiterStore implements LimiterStore {
  readonly #windows = new Map<string, { count: number; resetAt: number }>();
  readonly #capacity: number;

  /** @param capacity most keys that are kept. Default: 100,000 */
  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity;
  }

  async consume(key: string, window: number): Promise<LimiterCount> {
    const now = Date.now();
    let current = this.#windows.get(key);
    if (!current || current.resetAt <= now) {
      this.#windows.delete(key);
      if (this.#windows.size >= this.#capacity) this.#makeRoom(now);
      current = { count: 0, resetAt: now + window };
      this.#windows.set(key, current);
    }
    current.count += 1;
    return Promise.resolve({ ...current });
  }

  async restore(key: string): Promise<void> {
    const current = this.#windows.get(key);
    if (current && current.count > 1) current.count -= 1;
    else this.#windows.delete(key);
    return Promise.resolve();
  }

  async reset(key: string): Promise<void> {
    this.#windows.delete(key);
    return Promise.resolve();
  }

  /** Nobody frees a locked account by trying many others: what has been tried most stays. */
  #makeRoom(now: number): void {
    const entries = [...this.#windows];
    const rank = ([, { count, resetAt }]: (typeof entries)[number]): number => (resetAt <= now ? 0 : count);
    entries.sort((a, b) => rank(a) - rank(b));
    for (const [key] of entries.slice(0, Math.ceil(this.#capacity / 10))) this.#windows.delete(key);
  }
}

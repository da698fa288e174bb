import type { AttemptAnswer, AttemptRule, AttemptState, LimiterStore } from './limiter-store.ts';
import { nextAttempt, withoutAttempt } from './next-attempt.ts';

/** Keys that are kept. */
const CAPACITY = 100_000;

/** Counts in this process alone. Bounded: keys whose time is over go first, then those with the fewest attempts. */
export class MemoryLimiterStore implements LimiterStore {
  readonly #states = new Map<string, AttemptState>();
  readonly #capacity: number;

  /** @param capacity most keys that are kept. Default: 100,000 */
  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity;
  }

  async attempt(key: string, rule: AttemptRule): Promise<AttemptAnswer> {
    const now = Date.now();
    const before = this.#states.get(key);
    if (!before && this.#states.size >= this.#capacity) this.#makeRoom(now);
    const { refused, readyAt, ...rest } = nextAttempt(before, rule, now);
    this.#states.set(key, { refused, readyAt, ...rest });
    return { admitted: refused === 0, refused, readyAt };
  }

  async restore(key: string, rule: AttemptRule, answer: AttemptAnswer): Promise<void> {
    const state = this.#states.get(key);
    if (state && state.count > 1) this.#states.set(key, withoutAttempt(state, rule, answer));
    else this.#states.delete(key);
    return Promise.resolve();
  }

  async reset(key: string): Promise<void> {
    this.#states.delete(key);
    return Promise.resolve();
  }

  /** Nobody frees a locked account by trying many others: what has been tried most stays. */
  #makeRoom(now: number): void {
    const entries = [...this.#states];
    const rank = ([, { count, resetAt }]: (typeof entries)[number]): number => (resetAt <= now ? 0 : count);
    entries.sort((a, b) => rank(a) - rank(b));
    for (const [key] of entries.slice(0, Math.ceil(this.#capacity / 10))) this.#states.delete(key);
  }
}

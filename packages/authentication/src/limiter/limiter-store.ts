/** Attempts in the present window. */
export interface LimiterCount {
  /** Attempts, this one included. */
  readonly count: number;
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt: number;
}

/** Where the login limiter counts. Each method must be atomic: many processes may count at once. */
export interface LimiterStore {
  /**
   * Counts one more attempt.
   *
   * @param key what is counted
   * @param window length of a new window, in milliseconds
   */
  consume(key: string, window: number): Promise<LimiterCount>;
  /** Takes one attempt back. */
  restore(key: string): Promise<void>;
  /** Forgets all attempts. */
  reset(key: string): Promise<void>;
}

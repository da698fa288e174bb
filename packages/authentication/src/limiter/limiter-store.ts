/** How attempts under one key are bounded; times in milliseconds. */
export interface AttemptRule {
  /** Attempts that may fail before anything is held back. */
  readonly attempts: number;
  /** How long failures count; the longest delay. */
  readonly window: number;
  /** Delay after the last free attempt, which doubles with each further one; `null` for a lock until the window ends. */
  readonly delay: number | null;
}

/** What is known of the attempts under one key. */
export interface AttemptState {
  /** Attempts that have failed or are being made. */
  readonly count: number;
  /** Attempts that were held back since the last one that was made. */
  readonly refused: number;
  /** The next attempt may be made at this time; 0 where nothing holds it back. Milliseconds since 1970. */
  readonly readyAt: number;
  /** All is forgotten at this time. Milliseconds since 1970. */
  readonly resetAt: number;
}

/** The answer to an attempt. */
export interface AttemptAnswer {
  /** Whether it may be made; it then counts as failed until it is taken back. */
  readonly admitted: boolean;
  /** How many were held back since the last one that was made, this one included. */
  readonly refused: number;
  /** When the next attempt may be made; 0 where nothing holds it back. Milliseconds since 1970. */
  readonly readyAt: number;
  /** Milliseconds until then, for a store with a clock of its own. Default: until `readyAt` by the clock of this process. */
  readonly wait?: number;
}

/** Where the login limiter counts. Each method must be one atomic command: many processes may count at once. */
export interface LimiterStore {
  /**
   * Asks for one more attempt, and counts it when it may be made. {@link nextAttempt} has the rule.
   *
   * @param key what is counted
   */
  attempt(key: string, rule: AttemptRule): Promise<AttemptAnswer>;
  /**
   * Takes one attempt back. What holds the next one back goes with it when this attempt has set it (its `readyAt` still stands), or when
   * fewer than `rule.attempts` are left: {@link withoutAttempt} has the rule.
   *
   * @param answer what {@link attempt} gave
   */
  restore(key: string, rule: AttemptRule, answer: AttemptAnswer): Promise<void>;
  /** Forgets all attempts. */
  reset(key: string): Promise<void>;
}

/** A call that was made under a key. */
export interface KeptCall {
  /** Digest of what was asked for. */
  readonly fingerprint: string;
  /** What came of it, as text; `undefined` while it is being made, and where nobody could write that down. */
  readonly outcome: string | undefined;
}

/** Where calls are kept by their keys. Processes that answer the same callers share one. */
export interface IdempotencyStore {
  /**
   * Takes a key for a call. It must be one atomic step: of two who ask at once, one gets it.
   *
   * @param key who calls and the key, as a digest
   * @param milliseconds how long the key is taken
   * @returns `undefined` when it was free and is taken now, else the call that has it
   */
  take(key: string, fingerprint: string, milliseconds: number): Promise<KeptCall | undefined>;
  /** Writes down what came of the call that has a key. */
  keep(key: string, outcome: string): Promise<void>;
  /** Gives a key back: nothing was done. */
  free(key: string): Promise<void>;
}

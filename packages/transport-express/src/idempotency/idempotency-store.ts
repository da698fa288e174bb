/** A call that was made under a key. */
export interface KeptCall {
  /** Digest of what was asked for. */
  readonly fingerprint: string;
  /** What came of it, as text; `undefined` while it is being made, and where nobody could write that down. */
  readonly outcome: string | undefined;
  /** Milliseconds since it has taken its key, by the clock with which the store decides when keys end. */
  readonly age: number;
}

/** A key, and who has taken it. */
export interface HeldKey {
  /** Who calls and the key, as a digest. */
  readonly key: string;
  /** Names the call that has taken the key; no two calls have the same. */
  readonly holder: string;
}

/** Where calls are kept by their keys. Processes that answer the same callers share one. */
export interface IdempotencyStore {
  /**
   * Takes a key for a call. It must be one atomic step: of two who ask at once, one gets it.
   *
   * @param milliseconds how long the key is taken
   * @returns `undefined` when it was free and is taken now, else the call that has it
   */
  take(held: HeldKey, fingerprint: string, milliseconds: number): Promise<KeptCall | undefined>;
  /** Writes down what came of the call that has a key; nothing where another call has the key by now. */
  keep(held: HeldKey, outcome: string): Promise<void>;
  /** Gives a key back, since nothing was done; nothing where another call has the key by now. */
  free(held: HeldKey): Promise<void>;
}

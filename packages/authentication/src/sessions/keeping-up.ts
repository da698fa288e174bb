/** Oldest knowledge of what has ended that a check relies on, in milliseconds (security S19: one second). */
const FRESH = 900;
/** Time between two questions to the store while there is something to check, in milliseconds. */
const INTERVAL = 400;
/** Time without checks after which the store is no longer asked, in milliseconds. */
const QUIET = 10_000;

/** What {@link KeepingUp} is made with. */
export interface KeepingUpOptions {
  /** Asks the store what has ended. */
  readonly ask: () => Promise<void>;
  /** Whether something is to be heard also while nobody checks. */
  readonly isListened: () => boolean;
}

/**
 * Keeps up with what ends elsewhere: the store is asked a few times in a second while there are checks, however many, and a check waits
 * only where what is known is too old. Times are those of this process's own stopwatch.
 */
export class KeepingUp {
  readonly #ask: () => Promise<void>;
  readonly #isListened: () => boolean;
  #heardAt = -Infinity;
  #checkedAt = -Infinity;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ ask, isListened }: KeepingUpOptions) {
    this.#ask = ask;
    this.#isListened = isListened;
  }

  /** Whether the store has answered yet. */
  get hasHeard(): boolean {
    return this.#heardAt !== -Infinity;
  }

  /**
   * Sees to it that what is known is new enough for a check.
   *
   * @throws Unavailable (503)
   */
  async check(): Promise<void> {
    const now = performance.now();
    this.#checkedAt = now;
    // A question that is under way may have been asked too long ago.
    while (now - this.#heardAt > FRESH) await this.ask();
    this.poll();
  }

  /** Asks now. One question at a time; those who need the answer wait for the same one. */
  ask(): Promise<void> {
    this.#asking ??= this.#hear().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Goes on asking as long as there is a reason. */
  poll(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isListened() && performance.now() - this.#checkedAt > QUIET) return;
      // A store that fails is seen by the next check, which then asks for itself.
      this.ask().catch(() => undefined);
      this.poll();
    }, INTERVAL);
    this.#timer.unref();
  }

  /** Waits until no process relies on what it knew before this: each then has heard what was announced, or answers 503. */
  async heardEverywhere(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, FRESH));
  }

  /** Asks no more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #hear(): Promise<void> {
    const started = performance.now();
    await this.#ask();
    this.#heardAt = started;
  }
}

import { DocDbError } from '../errors.ts';
import { interruptible } from '../interrupt.ts';

/** Milliseconds that a command works before others get their turn. */
export const SLICE = 8;

/** Codes of the errors of who asks, and not of what is asked: its time was over, or somebody ended it. */
export const INTERRUPTED: ReadonlySet<number> = new Set([50, 11600, 11601]);

/** @returns what a command fails with that has had its time */
export function overTime(): DocDbError {
  return new DocDbError(50, 'operation exceeded time limit');
}

/** The time that a command takes: it gives others their turn, and ends when it has had its time. */
export class Operation {
  /** Whether it has a limit, also while it rests. */
  readonly isLimited: boolean;
  #deadline: number;
  /** What is left of its time while it rests. */
  #left: number | undefined;
  #sliceEnd: number = performance.now() + SLICE;
  #killed = false;
  #caller: Operation | undefined;
  /** Ends the wait that is under way. */
  #wake: () => void = () => undefined;

  /** @param maxTimeMs milliseconds that it may take in all; 0 for any time */
  constructor(maxTimeMs = 0) {
    this.isLimited = maxTimeMs > 0;
    this.#deadline = maxTimeMs > 0 ? performance.now() + maxTimeMs : Infinity;
  }

  /** Ends it where it looks at its time next, and what it waits for. */
  kill(): void {
    this.#killed = true;
    this.#wake();
  }

  /** @throws DocDbError (50, 11601) when its time is over, or it was killed */
  check(): void {
    this.#caller?.check();
    if (this.#killed) throw new DocDbError(11601, 'operation was interrupted');
    if (performance.now() >= this.#deadline) throw overTime();
  }

  /** Nothing is done for it: that takes none of its time. */
  rest(): void {
    this.#left ??= this.#deadline - performance.now();
  }

  /**
   * Ends a rest.
   *
   * @param caller what it goes on for; it ends with that
   */
  goOn(caller?: Operation): void {
    this.#caller = caller;
    if (this.#left === undefined) return;
    this.#deadline = performance.now() + this.#left;
    this.#left = undefined;
  }

  /** Does work that looks at its time while it goes on. */
  during<T>(work: () => T): T {
    return interruptible(() => {
      this.check();
    }, work);
  }

  /** Steps that are worked out one after the other, each as {@link during} does. */
  *stepping<T>(steps: Iterable<T>): Generator<T, void> {
    const iterator = steps[Symbol.iterator]();
    try {
      for (;;) {
        const next = this.during(() => iterator.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      iterator.return?.();
    }
  }

  /** Whether it had a turn of its own since a time, by `performance.now()`. */
  hasWorkedSince(time: number): boolean {
    return this.#sliceEnd - SLICE >= time;
  }

  /** Whether others should have their turn. */
  get isLong(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /**
   * Lets others work when it has worked for a while.
   *
   * @throws DocDbError (50)
   */
  async turn(): Promise<void> {
    if (!this.isLong) return;
    this.check();
    await new Promise((resolve) => setImmediate(resolve));
    this.resume();
  }

  /** Begins a new slice. */
  resume(): void {
    this.#sliceEnd = performance.now() + SLICE;
  }

  /**
   * Waits for something that may never come.
   *
   * @throws DocDbError (50, 11601)
   */
  async until(ended: Promise<unknown>): Promise<void> {
    this.check();
    let timer: NodeJS.Timeout | undefined;
    const interrupted = new Promise<void>((resolve) => {
      this.#wake = resolve;
      // Timers leave parts of a millisecond out: one that comes too early would end the waiting, and not the operation.
      if (this.#deadline !== Infinity) timer = setTimeout(resolve, Math.ceil(this.#deadline - performance.now()) + 1);
    });
    await Promise.race([ended, interrupted]);
    clearTimeout(timer);
    this.check();
    this.resume();
  }

  /** Waits for what tidies up after a failure, which goes on when there is no more time; the failure is told of, and not how that ends. */
  async behind(tidied: Promise<unknown>): Promise<void> {
    const ended = tidied.catch(() => undefined);
    await this.until(ended).catch(() => undefined);
  }
}

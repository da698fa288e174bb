import { DocDbError } from './errors.ts';

/** Looks whether work may go on, and throws when it may not. */
type Check = () => void;

let check: Check | undefined;
let started = 0;
let ticks = 0;
let spent = 0;

/** Steps between two looks at the clock. */
const STEPS = 1024;
/** Milliseconds that an expression may take for one document, while nobody else has a turn. */
const LONGEST = 10_000;

/** Bytes that expressions may make between two turns. */
const MOST_BYTES = 1024 * 1024 * 1024;

/** Does work that a command may be interrupted in: what it steps through calls {@link tick}. */
export function interruptible<T>(by: Check, work: () => T): T {
  const before = check;
  check = by;
  started = performance.now();
  spent = 0;
  try {
    return work();
  } finally {
    check = before;
  }
}

/**
 * One step of a loop whose length the caller decides.
 *
 * @throws DocDbError (50, 11601) when the time of the command is over, or it was killed
 */
export function tick(): void {
  if (++ticks % STEPS !== 0 || !check) return;
  check();
  if (performance.now() - started > LONGEST)
    throw new DocDbError(50, `an expression took more than ${String(LONGEST)} ms without a turn for others`);
}

/** Bytes that a document or a list takes beside what it shares with others, about. */
const SHELL = 100;

/**
 * Counts a document or a list that is made of a value: what expressions hold many times over is made there once for each of them.
 *
 * @throws DocDbError (50, 146, 11601)
 */
export function made(): void {
  tick();
  spend(SHELL);
}

/**
 * Looks at the time behind something that took long.
 *
 * @throws DocDbError (50, 11601)
 */
export function pause(): void {
  ticks = STEPS - 1;
  tick();
}

/**
 * Counts what an expression makes of values that a caller wrote small.
 *
 * @throws DocDbError (146) for more than memory should hold
 */
export function spend(bytes: number): void {
  if (!check) return;
  spent += bytes;
  if (spent > MOST_BYTES) throw new DocDbError(146, `expressions would make more than ${String(MOST_BYTES)} bytes at once`);
}

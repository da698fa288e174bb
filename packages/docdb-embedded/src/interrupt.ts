import { DocDbError } from './errors.ts';

/** Looks whether work may go on, and throws when it may not. */
type Check = () => void;

let check: Check | undefined;
let started = 0;
let ticks = 0;
let spent = 0;

/** Steps between two looks at the clock; a long one counts for many. */
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
 * Steps of a loop whose length the caller decides.
 *
 * @param steps how many they are, or how many shorter ones they take as long as
 * @throws DocDbError (50, 11601) when the time of the command is over, or it was killed
 */
export function tick(steps = 1): void {
  ticks += steps;
  if (ticks < STEPS) return;
  ticks = 0;
  if (!check) return;
  check();
  if (performance.now() - started > LONGEST)
    throw new DocDbError(50, `an expression took more than ${String(LONGEST)} ms without a turn for others`);
}

/** Bytes that a document or a list takes beside what it shares with others, and one element of a list, about. */
const SHELL = 100;
const PLACE = 8;
/** Bytes that may be made of each document and do not count: as much as is made of large ones that are stored. */
const FREE = 32 * 1024 * 1024;

/**
 * Counts a document or a list that is made of a value: what expressions hold many times over is made there once for each of them.
 *
 * @param length of a list
 * @throws DocDbError (50, 146, 11601)
 */
export function made(length = 0): void {
  tick(1 + length);
  spend(SHELL + PLACE * length);
}

/**
 * Counts the steps of going through a list or a text as a whole.
 *
 * @throws DocDbError (50, 11601)
 */
export function goneThrough(value: unknown): void {
  if (hasLength(value)) tick(value.length);
}

/** @returns whether a value is a list or a text, which takes longer the longer it is */
export function hasLength(value: unknown): value is string | readonly unknown[] {
  return typeof value === 'object' ? Array.isArray(value) : typeof value === 'string';
}

/**
 * Counts a list or a text that was made as a whole.
 *
 * @throws DocDbError (146)
 */
export function madeWhole(value: unknown): void {
  if (Array.isArray(value)) spend(PLACE * value.length);
  else if (typeof value === 'string') spend(value.length);
}

/** Makes something of one document: of many large ones that are shown one after the other not more counts than what one has many times over. */
export function perDocument<T>(work: () => T): T {
  const before = spent;
  spent -= FREE;
  try {
    return work();
  } finally {
    spent = Math.max(before, spent);
  }
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

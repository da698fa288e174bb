import type { Doc } from '../../bson/values.ts';

/** Work that others may have their turn in: it yields where that may be. */
export type InTurns<T> = Generator<undefined, T>;

/** Milliseconds that work goes on before it asks whether others should have their turn. */
const UNASKED = 2;

/** @returns what is worked out of each one */
export function* forEach<Item, T>(items: readonly Item[], work: (item: Item, index: number) => T): InTurns<T[]> {
  const results: T[] = [];
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    yield;
  }
  return results;
}

/** Works as a part of a stage, whose empty steps are the turns of others. */
export function* withTurns<T>(work: InTurns<T>): Generator<Doc[], T> {
  let end = performance.now() + UNASKED;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    yield [];
    end = performance.now() + UNASKED;
  }
}

/** @returns what work comes to that nobody else has a turn in */
export function atOnce<T>(work: InTurns<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

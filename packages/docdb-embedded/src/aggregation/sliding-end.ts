import type { Value } from '../bson/values.ts';
import { Moving } from './moving.ts';
import type { SlidingStatistic } from './sliding-statistics.ts';

/** The value of the first or the last document of a window. */
export class SlidingEnd implements SlidingStatistic<Value> {
  readonly #end: 'first' | 'last';
  readonly #inside = new Moving<Value>();

  constructor(end: 'first' | 'last') {
    this.#end = end;
  }

  add(value: Value): void {
    this.#inside.add(value);
  }

  remove(): void {
    this.#inside.remove();
  }

  result(): Value {
    return this.#inside[this.#end] ?? null;
  }
}

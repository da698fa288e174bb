import type { Numeric } from '../bson/arithmetic.ts';
import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import type { Value } from '../bson/values.ts';
import type { SlidingStatistic } from './sliding-statistics.ts';

/** The least and the greatest number of a window. */
export class SlidingExtremes implements SlidingStatistic<Numeric> {
  readonly #least = new SlidingExtreme(-1);
  readonly #greatest = new SlidingExtreme(1);

  add(value: Numeric): void {
    this.#least.add(value);
    this.#greatest.add(value);
  }

  remove(): void {
    this.#least.remove();
    this.#greatest.remove();
  }

  result(): Value {
    return [this.#least.result(), this.#greatest.result()];
  }
}

/** The least or the greatest value of a window: of equal ones the first. */
export class SlidingExtreme implements SlidingStatistic<Value> {
  readonly #direction: 1 | -1;
  readonly #collator: Collator | undefined;
  /** Those that are, or may become, the most extreme one: each more so than all that came in behind it. */
  readonly #candidates: (readonly [value: Value, number: number])[] = [];
  /** How many of the candidates have left. */
  #gone = 0;
  #added = 0;
  #removed = 0;

  /** @param direction 1 for the greatest */
  constructor(direction: 1 | -1, collator?: Collator) {
    this.#direction = direction;
    this.#collator = collator;
  }

  add(value: Value): void {
    for (let last = this.#last(); last && compare(value, last[0], this.#collator) * this.#direction > 0; last = this.#last())
      this.#candidates.pop();
    this.#candidates.push([value, this.#added++]);
  }

  #last(): readonly [Value, number] | undefined {
    return this.#candidates.length > this.#gone ? this.#candidates.at(-1) : undefined;
  }

  /** Takes out the value that came in first. */
  remove(): void {
    if (this.#candidates[this.#gone]?.[1] === this.#removed) this.#gone += 1;
    this.#removed += 1;
  }

  result(): Value {
    return this.#candidates[this.#gone]?.[0] ?? null;
  }
}

import type { Collator } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { hashKey } from '../bson/hash-key.ts';
import type { Value } from '../bson/values.ts';
import { indexKey } from '../storage/keys/index-key.ts';

/** @returns a text that is the same for values that are equal; with a collation others may have it too */
export function keyText(value: Value, collator: Collator | undefined): string {
  return collator ? indexKey([value], { directions: [1], collator }).bytes.toString('latin1') : hashKey(value);
}

/** Values without repetitions, in the order in which they came. How many there are does not matter for what one more costs. */
export class ValueSet {
  readonly #collator: Collator | undefined;
  readonly #alike = new Map<string, Value[]>();

  /** @param collator decides which texts are equal. Default: those that are the same */
  constructor(values: Iterable<Value> = [], collator?: Collator) {
    this.#collator = collator;
    for (const value of values) this.add(value);
  }

  has(value: Value): boolean {
    return this.#find(this.#alike.get(keyText(value, this.#collator)), value);
  }

  /** @returns whether the value is a new one */
  add(value: Value): boolean {
    const key = keyText(value, this.#collator);
    const alike = this.#alike.get(key);
    if (this.#find(alike, value)) return false;
    if (alike) alike.push(value);
    else this.#alike.set(key, [value]);
    return true;
  }

  /** Without a collation the text says it all. */
  #find(alike: readonly Value[] | undefined, value: Value): boolean {
    if (alike === undefined) return false;
    return !this.#collator || alike.some((entry) => equal(entry, value, this.#collator));
  }
}

/** @returns the values without repetitions, in the order of their first appearance */
export function uniqueValues(list: readonly Value[], collator?: Collator): Value[] {
  const seen = new ValueSet([], collator);
  return list.filter((value) => seen.add(value));
}

import type { Collator } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import type { Value } from '../bson/values.ts';
import { ValueSet } from '../query/value-set.ts';
import { isNullish } from './operators/define.ts';

/** Entries that are gone through as fast as they are looked up. */
const FEW = 16;

/** What is in the list that an expression was given last: constants and variables are one list for many documents, and are read once. */
export class LastList {
  #list: readonly Value[] | undefined;
  #values: ValueSet | undefined;

  /** @returns the values of a list; with a collation texts that are equal by it are one */
  valuesOf(list: readonly Value[], collator: Collator | undefined): ValueSet {
    if (this.#list !== list || !this.#values) {
      this.#list = list;
      this.#values = new ValueSet(list, collator);
    }
    return this.#values;
  }

  /** @returns whether a list has a value, null where it is missing; what comes only once is gone through as far as needed */
  has(list: readonly Value[], value: Value, collator: Collator | undefined): boolean {
    if (list.length > FEW && list === this.#list && !isNullish(value)) return this.valuesOf(list, collator).has(value);
    if (list !== this.#list) {
      this.#list = list;
      this.#values = undefined;
    }
    return list.some((entry) => equal(entry, value ?? undefined, collator) || (isNullish(value) && isNullish(entry)));
  }
}

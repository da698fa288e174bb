import type { Value } from '../bson/values.ts';
import type { IndexDefinition } from './index-definition.ts';

/** Keys that two documents may have, of unique indexes in building. */
export class Suspects {
  readonly #keys = new Map<number, (readonly Value[])[]>();

  /** Notes a key of an index. */
  note(index: IndexDefinition, values: readonly Value[]): void {
    const known = this.#keys.get(index.number);
    if (known) known.push(values);
    else this.#keys.set(index.number, [values]);
  }

  /** @returns the keys of an index that were noted, which are forgotten */
  take(index: IndexDefinition): readonly (readonly Value[])[] {
    const found = this.#keys.get(index.number) ?? [];
    this.#keys.delete(index.number);
    return found;
  }
}

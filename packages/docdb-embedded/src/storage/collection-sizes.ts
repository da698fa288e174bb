import type { Collection } from './collection.ts';
import { type CollectionSize, sizeKey } from './reader.ts';
import type { Store } from './store.ts';

/** A size that changes with what is written. */
type Size = { -readonly [name in keyof CollectionSize]: CollectionSize[name] };

/** How much collections hold, during a write. */
export class CollectionSizes {
  readonly #store: Store;
  readonly #sizes = new Map<number, Size>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns the size of a collection, to be changed with it */
  of(collection: Collection): Size {
    const known = this.#sizes.get(collection.number);
    if (known) return known;
    const size = { ...this.#store.newest.sizeOf(collection) };
    this.#sizes.set(collection.number, size);
    return size;
  }

  forget(collection: Collection): void {
    this.#sizes.delete(collection.number);
    void this.#store.engine.system.remove(sizeKey(collection.number));
  }

  /** Writes all that were asked for. */
  save(): void {
    for (const [number, { count, bytes }] of this.#sizes) {
      const value = Buffer.allocUnsafe(16);
      value.writeDoubleBE(count, 0);
      value.writeDoubleBE(bytes, 8);
      void this.#store.engine.system.put(sizeKey(number), value);
    }
  }
}

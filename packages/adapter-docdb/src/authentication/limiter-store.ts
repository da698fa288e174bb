import type { Collection } from 'mongodb';
import type { CollectionSource } from './session-store.ts';

interface CountRecord {
  _id: string;
  count: number;
  resetAt: Date;
}

/**
 * Counts logins in a collection, for all processes together: the store of the option `limiter` of an authentication service.
 * Each method is one command.
 */
export class DocDbLimiterStore {
  readonly #source: CollectionSource;
  #collection: Promise<Collection<CountRecord>> | undefined;

  /** @param source the collection; its counts are removed when their window has ended */
  constructor(source: CollectionSource) {
    this.#source = source;
  }

  /**
   * Counts one more attempt, or the first of a new window.
   *
   * @param window length of a new window, in milliseconds
   */
  async consume(key: string, window: number): Promise<{ count: number; resetAt: number }> {
    const collection = await this.#ready();
    const now = new Date();
    const present = { $gt: ['$resetAt', now] };
    const change = [
      {
        $set: {
          count: { $cond: [present, { $add: ['$count', 1] }, 1] },
          resetAt: { $cond: [present, '$resetAt', new Date(now.getTime() + window)] },
        },
      },
    ];
    const settings = { upsert: true, returnDocument: 'after', includeResultMetadata: false } as const;
    const counted = await retryDuplicate(() => collection.findOneAndUpdate({ _id: key }, change, settings));
    return { count: counted?.count ?? 1, resetAt: counted?.resetAt.getTime() ?? now.getTime() + window };
  }

  /** Takes one attempt back. */
  async restore(key: string): Promise<void> {
    await (await this.#ready()).updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } });
  }

  /** Forgets all attempts. */
  async reset(key: string): Promise<void> {
    await (await this.#ready()).deleteOne({ _id: key });
  }

  async #ready(): Promise<Collection<CountRecord>> {
    this.#collection ??= this.#prepare();
    // A failed attempt to connect is not kept.
    this.#collection.catch(() => (this.#collection = undefined));
    return this.#collection;
  }

  async #prepare(): Promise<Collection<CountRecord>> {
    const collection = await (typeof this.#source === 'function' ? this.#source() : this.#source);
    await collection.createIndexes([{ key: { resetAt: 1 }, expireAfterSeconds: 0 }]);
    return collection as unknown as Collection<CountRecord>;
  }
}

/** Two first attempts at once may both insert; the second then finds the record of the first. */
async function retryDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 11000) return work();
    throw error;
  }
}

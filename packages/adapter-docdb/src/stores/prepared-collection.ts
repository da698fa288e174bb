import type { Collection, Document, IndexDescription } from 'mongodb';
import { isDriverError, isDuplicate, toFrameworkError } from '../driver-error.ts';
import { checkSource, fromSource, type CollectionSource, type Taken } from '../driver-source.ts';
import { ownOptions, type Call } from '../operations/call.ts';
import { inTime } from '../operations/in-time.ts';

/** A collection with the indexes that a store needs, which are made with its first use. */
export class PreparedCollection<T extends Document> {
  readonly #source: CollectionSource;
  readonly #indexes: readonly IndexDescription[];
  readonly #taken: Taken;
  #collection: Promise<Collection<T>> | undefined;

  /** @throws TypeError for what is no collection */
  constructor(source: CollectionSource, indexes: readonly IndexDescription[], taken: Taken) {
    checkSource(source, taken);
    this.#source = source;
    this.#taken = taken;
    this.#indexes = indexes;
  }

  /**
   * Runs commands.
   *
   * @param work gets the collection, and what each command of it needs to be given up when the database does not answer
   * @throws what the source throws, and what `toFrameworkError` makes of errors of the database; it is asked again the next time
   */
  async run<R>(work: (collection: Collection<T>, limits: Call['driver']) => Promise<R>): Promise<R> {
    try {
      this.#collection ??= this.#prepare();
      this.#collection.catch(() => (this.#collection = undefined));
      const collection = await this.#collection;
      const limits = ownOptions(collection);
      return await work(inTime(collection, limits), limits);
    } catch (error) {
      throw isDriverError(error) ? toFrameworkError(error) : error;
    }
  }

  async #prepare(): Promise<Collection<T>> {
    const collection = await fromSource(this.#source, this.#taken);
    // An index may take longer than a command: the next who asks waits for it too.
    const { maxTimeMS: _maxTimeMS, ...limits } = ownOptions(collection);
    await inTime(collection, limits).createIndexes([...this.#indexes], limits);
    return collection as unknown as Collection<T>;
  }
}

/** Two first writes of a key at once may both insert; the second then finds the record of the first. */
export async function retryDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error)) return work();
    throw error;
  }
}

import { collectionIn, type CollectionSource } from '../driver-source.ts';
import { PreparedCollection, retryDuplicate } from './prepared-collection.ts';

/** A key, and the call that has taken it. */
interface HeldKey {
  readonly key: string;
  readonly holder: string;
}

interface CallRecord {
  _id: string;
  holder: string;
  /** Digest of what was asked for. */
  fingerprint: string;
  /** What came of it; missing while it is being made. */
  outcome?: string;
  /** When the key was taken, by the clock of the database. */
  since: Date;
  /** Milliseconds since then: made for whoever asks, and not stored. */
  age?: number;
  /** When the key is free again, and the database may remove the record: by its clock. */
  until: Date;
}

/**
 * Keeps the calls of `idempotent()` of the REST transport in a collection, for all processes together: its option `store`. Each method is one command, and
 * the clock of the database decides when a key ends. Answers are stored as their callers got them.
 */
export class DocDbIdempotencyStore {
  readonly #calls: PreparedCollection<CallRecord>;

  /**
   * @param source the collection; calls are removed when their time is over
   * @throws TypeError for what is no collection
   */
  constructor(source: CollectionSource) {
    this.#calls = new PreparedCollection(
      source,
      [{ key: { until: 1 }, expireAfterSeconds: 0 }],
      collectionIn('DocDbIdempotencyStore takes', 'calls'),
    );
  }

  /**
   * Takes a key for a call.
   *
   * @param held the key, and a name of the call that no other has
   * @param fingerprint digest of what is asked for
   * @param milliseconds how long the key is taken
   * @returns `undefined` when it was free and is taken now, else the call that has it: `outcome` is `undefined` while it is being made, `age` the milliseconds since it has taken it
   * @throws Unavailable (503) and what else `toFrameworkError` makes of errors of the driver
   */
  async take(
    { key, holder }: HeldKey,
    fingerprint: string,
    milliseconds: number,
  ): Promise<{ readonly fingerprint: string; readonly outcome: string | undefined; readonly age: number } | undefined> {
    const change = takenBy(holder, fingerprint, milliseconds);
    const projection = { holder: 1, fingerprint: 1, outcome: 1, age: { $toDouble: { $subtract: ['$$NOW', '$since'] } } };
    const settings = { upsert: true, returnDocument: 'after', includeResultMetadata: false, projection } as const;
    const call = await this.#calls.run((calls, limits) =>
      retryDuplicate(() => calls.findOneAndUpdate({ _id: key }, change, { ...limits, ...settings })),
    );
    if (!call) throw new Error('The database gave no call');
    return call.holder === holder ? undefined : { fingerprint: call.fingerprint, outcome: call.outcome, age: call.age ?? 0 };
  }

  /**
   * Writes down what came of the call that has a key; nothing where another call has the key by now.
   *
   * @throws Unavailable (503) and what else `toFrameworkError` makes of errors of the driver
   */
  async keep({ key, holder }: HeldKey, outcome: string): Promise<void> {
    await this.#calls.run((calls, limits) => calls.updateOne({ _id: key, holder }, { $set: { outcome } }, limits));
  }

  /**
   * Gives a key back; nothing where another call has the key by now.
   *
   * @throws Unavailable (503) and what else `toFrameworkError` makes of errors of the driver
   */
  async free({ key, holder }: HeldKey): Promise<void> {
    await this.#calls.run((calls, limits) => calls.deleteOne({ _id: key, holder }, limits));
  }
}

/** Stages that the database runs: what is there stays while its time is not over, and else all of it is that of the new call. */
function takenBy(holder: string, fingerprint: string, milliseconds: number): object[] {
  const present = { $gt: ['$until', '$$NOW'] };
  const unlessPresent = (path: string, value: unknown): object => ({ $cond: [present, path, value] });
  return [
    {
      $set: {
        holder: unlessPresent('$holder', { $literal: holder }),
        fingerprint: unlessPresent('$fingerprint', { $literal: fingerprint }),
        outcome: unlessPresent('$outcome', '$$REMOVE'),
        since: unlessPresent('$since', '$$NOW'),
        until: unlessPresent('$until', { $add: ['$$NOW', milliseconds] }),
      },
    },
  ];
}

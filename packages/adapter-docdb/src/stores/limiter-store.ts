import { collectionIn, type CollectionSource } from '../driver-source.ts';
import { PreparedCollection, retryDuplicate } from './prepared-collection.ts';

/** How attempts under one key are bounded; times in milliseconds. `delay` is `null` for a lock until the window ends. */
interface AttemptRule {
  readonly attempts: number;
  readonly window: number;
  readonly delay: number | null;
}

interface AttemptRecord {
  _id: string;
  count: number;
  refused: number;
  readyAt: number;
  resetAt: number;
  /** When the database may remove the record. */
  purgeAt: Date;
  /** Milliseconds until the next attempt may be made: made for whoever asks, and not stored. */
  wait?: number;
}

/** Doublings after which a delay no longer grows. */
const DOUBLINGS = 30;

/**
 * Counts logins in a collection, for all processes together: the store of the option `limiter` of an authentication service.
 * Each method is one command, and the clock of the database decides how long a lock lasts.
 */
export class DocDbLimiterStore {
  readonly #counts: PreparedCollection<AttemptRecord>;

  /**
   * @param source the collection; its counts are removed when they are over
   * @throws TypeError for what is no collection
   */
  constructor(source: CollectionSource) {
    this.#counts = new PreparedCollection(
      source,
      [{ key: { purgeAt: 1 }, expireAfterSeconds: 0 }],
      collectionIn('DocDbLimiterStore takes', 'logins'),
    );
  }

  /**
   * Asks for one more attempt, and counts it when it may be made.
   *
   * @param key what is counted
   * @param rule how it is bounded
   * @returns whether it may be made, how many were held back since the last that was, and when the next may be made, by the clock of the database: 0 where nothing holds it back;
   *   `wait` is how long that is from now on, in milliseconds
   */
  async attempt(key: string, rule: AttemptRule): Promise<{ admitted: boolean; refused: number; readyAt: number; wait: number }> {
    const change = nextAttempt(rule);
    const projection = { refused: 1, readyAt: 1, wait: { $max: [0, { $subtract: ['$readyAt', now] }] } };
    const settings = { upsert: true, returnDocument: 'after', includeResultMetadata: false, projection } as const;
    const state = await this.#counts.run((counts, limits) =>
      retryDuplicate(() => counts.findOneAndUpdate({ _id: key }, change, { ...limits, ...settings })),
    );
    if (!state) throw new Error('The database gave no count');
    return { admitted: state.refused === 0, refused: state.refused, readyAt: state.readyAt, wait: state.wait ?? 0 };
  }

  /**
   * Takes one attempt back, and what holds the next one back when this attempt has set it, or when too few are left.
   *
   * @param key what is counted
   * @param rule how it is bounded
   * @param answer what {@link attempt} gave
   */
  async restore(key: string, { attempts }: AttemptRule, { readyAt }: { readonly readyAt: number }): Promise<void> {
    const isFree = { $or: [{ $lt: ['$count', attempts] }, { $eq: ['$readyAt', readyAt] }] };
    const change = [{ $set: { count: { $subtract: ['$count', 1] } } }, { $set: { readyAt: { $cond: [isFree, 0, '$readyAt'] } } }];
    await this.#counts.run((counts, limits) => counts.updateOne({ _id: key, count: { $gt: 0 } }, change, limits));
  }

  /** Forgets all attempts. */
  async reset(key: string): Promise<void> {
    await this.#counts.run((counts, limits) => counts.deleteOne({ _id: key }, limits));
  }
}

/** Milliseconds since 1970 by the clock of the database: those of processes may differ by more than a window lasts. */
const now = { $toDouble: { $subtract: ['$$NOW', new Date(0)] } };

/** The rule of `nextAttempt` of the authentication package, as stages that the database runs. */
function nextAttempt({ attempts, window, delay }: AttemptRule): object[] {
  const later = (milliseconds: number): object => ({ $add: [now, milliseconds] });
  const present = { $gt: [{ $ifNull: ['$resetAt', 0] }, now] };
  const heldBack = { $and: [present, { $gt: ['$readyAt', now] }] };
  const admitted = { $eq: ['$refused', 0] };
  const locked = { $gte: ['$count', attempts] };
  const doubled = { $multiply: [delay ?? 0, { $pow: [2, { $min: [{ $subtract: ['$count', attempts] }, DOUBLINGS] }] }] };
  const wait = { $cond: [locked, { $min: [window, doubled] }, 0] };
  const readyAt = { $cond: [locked, delay === null ? '$resetAt' : { $add: [now, wait] }, 0] };
  // That clock, before it was put back, may have set later times than the rule has.
  const latestReset = { $min: ['$resetAt', later(window + (delay === null ? 0 : window))] };
  const resetAt = delay === null ? { $cond: ['$present', latestReset, later(window)] } : { $add: [now, wait, window] };
  return [
    { $set: { refused: { $cond: [heldBack, { $add: ['$refused', 1] }, 0] }, present } },
    { $set: { count: { $cond: [admitted, { $cond: ['$present', { $add: ['$count', 1] }, 1] }, '$count'] } } },
    { $set: { resetAt: { $cond: [admitted, resetAt, latestReset] } } },
    { $set: { readyAt: { $cond: [admitted, readyAt, { $min: ['$readyAt', later(window)] }] }, purgeAt: { $toDate: '$resetAt' } } },
    { $unset: 'present' },
  ];
}

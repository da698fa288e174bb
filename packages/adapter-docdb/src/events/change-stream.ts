import type { ChangeStream, ChangeStreamDocument, Db, Timestamp } from 'mongodb';

/** Milliseconds before the stream is opened again, at first and at most. */
const RETRY = { first: 100, most: 5000 };

/** What {@link followChanges} tells. */
export interface Follower {
  changed(change: ChangeStreamDocument): void;
  /**
   * The database does not know any more what was between.
   *
   * @returns time of the database from which it goes on
   */
  lost(): Promise<Timestamp>;
  /** The changes can not be read at present; called once for each reason until they can. */
  failed(error: unknown): void;
}

/** A place from which changes are told. */
type Place = { readonly startAtOperationTime: Timestamp } | { readonly resumeAfter: unknown };

/**
 * Tells the changes of some collections of a database, one after the other, as long as the database can be reached or comes back.
 *
 * @param from time of the database that it begins at
 * @returns ends it; settles when no more is told
 */
export function followChanges(db: Db, collections: readonly string[], from: Timestamp, follower: Follower): () => Promise<void> {
  const ofCollections = { 'ns.coll': { $in: collections }, operationType: { $in: ['insert', 'update', 'replace', 'delete'] } };
  const match = { $match: { $or: [ofCollections, { operationType: 'invalidate' }] } };
  let place: Place = { startAtOperationTime: from };
  let isLost = false;
  let stream: ChangeStream | undefined;
  let stopped = false;
  let wake: () => void = () => undefined;
  /** Texts of failures that were told since a change was read last. */
  const told = new Set<string>();

  const failed = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    if (stopped || told.has(text)) return;
    told.add(text);
    follower.failed(error);
  };

  const read = async (): Promise<void> => {
    stream = db.watch([match], { fullDocument: 'updateLookup', fullDocumentBeforeChange: 'whenAvailable', ...place });
    for await (const change of stream) {
      // The database was dropped: what comes behind that belongs to another one.
      isLost = change.operationType === 'invalidate';
      if (isLost) return;
      follower.changed(change);
      told.clear();
      place = { resumeAfter: change._id };
    }
  };
  const work = async (): Promise<void> => {
    for (let wait = RETRY.first; !stopped; wait = Math.min(wait * 2, RETRY.most)) {
      const before = place;
      try {
        if (isLost) place = { startAtOperationTime: await follower.lost() };
        isLost = false;
        await read();
      } catch (error) {
        if (isTooLongAgo(error)) isLost = true;
        else failed(error);
      } finally {
        await stream?.close().catch(ignore);
      }
      if (place !== before) wait = RETRY.first;
      if (stopped) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, wait).unref();
      });
    }
  };
  const done = work();
  return async () => {
    stopped = true;
    wake();
    await stream?.close().catch(ignore);
    await done;
  };
}

/** What the database says when changes are not in its log any more, or a place is none of its log. */
function isTooLongAgo(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 286 || code === 280 || code === 260;
}

function ignore(): void {
  // It has ended already.
}

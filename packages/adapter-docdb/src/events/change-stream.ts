import { setTimeout as wait } from 'node:timers/promises';
import { isRecord } from '@framework/query';
import type { ChangeStream, ChangeStreamDocument, Db, Timestamp } from 'mongodb';
import { rawFields } from '../operations/raw-fields.ts';

/** Milliseconds before the stream is opened again, at first and at most. */
const RETRY = { first: 100, most: 5000 };

/** What the database says when changes are not in its log any more, or a place is none of its log. */
const TOO_LONG_AGO: ReadonlySet<number> = new Set([286, 280, 260]);

/** What it says of a change that no answer has room for: asked for again, it would be so again. */
const TOO_LARGE = 10334;

/** What is left out of changes, which have room for one document, and not for two and all that differs between them. */
const LEAN = [
  { $unset: 'updateDescription' },
  { $set: { fullDocumentBeforeChange: { $cond: [{ $ifNull: ['$fullDocument', false] }, '$$REMOVE', '$fullDocumentBeforeChange'] } } },
];

/** What {@link followChanges} tells. */
export interface Follower {
  changed(change: ChangeStreamDocument): void;
  /**
   * The database does not know any more what was between, or can not tell it.
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
  const ending = new AbortController();
  const { signal } = ending;
  let place: Place = { startAtOperationTime: from };
  let isLost = false;
  let stream: ChangeStream | undefined;
  /** Texts of failures that were told since a change was read last. */
  const told = new Set<string>();

  const failed = (error: unknown): void => {
    const text = String(error);
    if (signal.aborted || told.has(text)) return;
    told.add(text);
    follower.failed(error);
  };

  const read = async (): Promise<void> => {
    const records = { fullDocument: 'updateLookup', fullDocumentBeforeChange: 'whenAvailable' };
    stream = db.watch([match, ...LEAN], { ...records, ...place, fieldsAsRaw: rawFields(db.client) });
    // Leaving the loop closes the stream, however it is left.
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
    for (let pause = RETRY.first; !signal.aborted; pause = Math.min(pause * 2, RETRY.most)) {
      const before = place;
      try {
        if (isLost) place = { startAtOperationTime: await follower.lost() };
        isLost = false;
        // It may have been ended meanwhile, when there was no stream to close.
        if (!signal.aborted) await read();
      } catch (error) {
        const code = isRecord(error) ? Number(error.code) : 0;
        if (TOO_LONG_AGO.has(code) || code === TOO_LARGE) isLost = true;
        if (!TOO_LONG_AGO.has(code)) failed(error);
      }
      if (place !== before) pause = RETRY.first;
      await wait(pause, undefined, { signal, ref: false }).catch(ignore);
    }
  };
  const done = work();
  return async () => {
    ending.abort();
    await stream?.close().catch(ignore);
    await done;
  };
}

function ignore(): void {
  // It has ended already.
}

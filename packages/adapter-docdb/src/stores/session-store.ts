import type { Collection } from 'mongodb';
import { DocDbService } from '../docdb-service.ts';

/** A collection, or what gives one. */
export type CollectionSource = Collection | Promise<Collection> | (() => Collection | Promise<Collection>);

/**
 * Makes the service that stores the sessions of an authentication service, and the indexes that it needs; the database removes
 * sessions and keys a day after their time.
 *
 * `app.use('sessions', sessionStore(db.collection('sessions')))`
 *
 * @param source the collection
 */
export function sessionStore(source: CollectionSource): DocDbService {
  const prepare = async (): Promise<Collection> => {
    const sessions = await (typeof source === 'function' ? source() : source);
    await sessions.createIndexes([{ key: { user: 1, usedAt: -1 } }, { key: { purgeAt: 1 }, expireAfterSeconds: 0 }]);
    return sessions;
  };
  return new DocDbService({ Model: prepare, disableObjectify: true });
}

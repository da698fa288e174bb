import { MethodNotAllowed } from '@framework/errors';
import type { Collection } from 'mongodb';
import { checkSource, collectionIn, fromSource, type CollectionSource } from '../driver-source.ts';
import { DocDbService } from '../docdb-service.ts';
import type { DocDbParams, ResolvedOptions } from '../docdb-types.ts';

const TAKEN = collectionIn('sessionStore() takes', 'sessions');

/** Closed by itself, and not only where an authentication service with sessions finds it: sessions that anybody may write are logins. */
class SessionStore extends DocDbService {
  override getOptions(params: DocDbParams = {}): ResolvedOptions {
    if (params.provider !== undefined) throw new MethodNotAllowed('Sessions are for the server alone');
    return super.getOptions(params);
  }
}

/**
 * Makes the service that stores the sessions of an authentication service, and the indexes that it needs; the database removes
 * sessions and keys a day after their time. Calls from outside are MethodNotAllowed (405), with the setting `sessions` and without.
 *
 * `app.use('sessions', sessionStore(db.collection('sessions')))`
 *
 * @param source the collection
 * @throws TypeError for what is no collection
 */
export function sessionStore(source: CollectionSource): DocDbService {
  checkSource(source, TAKEN);
  const prepare = async (): Promise<Collection> => {
    const sessions = await fromSource(source, TAKEN);
    await sessions.createIndexes([{ key: { user: 1, usedAt: -1 } }, { key: { purgeAt: 1 }, expireAfterSeconds: 0 }]);
    return sessions;
  };
  return new SessionStore({ Model: prepare, disableObjectify: true });
}

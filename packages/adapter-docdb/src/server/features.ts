import type { Db, Document } from 'mongodb';

/** What not every server of the protocol can do. */
export type Feature = 'transactions' | 'changeStreams' | 'collation' | 'text' | 'updatePipelines';

/** Whether a server can do something; `unknown` when it did not let itself be asked. */
export type FeatureAnswer = 'yes' | 'no' | 'unknown';

/** Names of what is asked about, as sentences have them. */
export const FEATURE_TITLES: Readonly<Record<Feature, string>> = {
  transactions: 'transactions',
  changeStreams: 'change streams',
  collation: 'collation',
  text: '$text search',
  updatePipelines: 'updates by pipelines',
};

/** All features, in the order in which they are told. */
export const FEATURES: readonly Feature[] = ['transactions', 'changeStreams', 'collation', 'text', 'updatePipelines'];

/** A collection that nobody has: nothing is read or written by asking. */
const NOWHERE = 'framework.probe';

/** Asks the server by doing it; fails when it can not. */
const PROBES: Readonly<Record<Feature, (db: Db) => Promise<unknown>>> = {
  async transactions(db) {
    const session = db.client.startSession();
    try {
      session.startTransaction();
      await db.command({ find: NOWHERE, limit: 1 }, { session });
      await session.abortTransaction();
    } finally {
      await session.endSession();
    }
  },
  async changeStreams(db) {
    // Ids of cursors are larger than numbers are exact.
    const open = { aggregate: 1, pipeline: [{ $changeStream: {} }], cursor: { batchSize: 0 } };
    const { cursor } = await db.command(open, { promoteLongs: false });
    const { id, ns } = cursor as { readonly id: unknown; readonly ns: string };
    await db.command({ killCursors: ns.slice(ns.indexOf('.') + 1), cursors: [id] });
  },
  collation: (db) => db.command({ find: NOWHERE, filter: { name: 'a' }, limit: 1, collation: { locale: 'en', strength: 2 } }),
  text: (db) => db.command({ find: NOWHERE, filter: { $text: { $search: 'a' } }, limit: 1 }),
  updatePipelines: (db) => db.command({ findAndModify: NOWHERE, query: { _id: 0 }, update: [{ $set: { name: 'a' } }] }),
};

/** Answers of servers that can do it: there is no index for text where nothing is. */
const CAN: Readonly<Partial<Record<Feature, readonly number[]>>> = { text: [27] };

/** The caller may not do it; whether the server can is not said. */
const UNAUTHORIZED = [13, 8000];

/**
 * Asks a server what it can do.
 *
 * @throws what the driver throws when the server can not be reached
 */
export async function probeFeature(db: Db, feature: Feature): Promise<FeatureAnswer> {
  try {
    await PROBES[feature](db);
    return 'yes';
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (UNAUTHORIZED.includes(code)) return 'unknown';
    return CAN[feature]?.includes(code) === true ? 'yes' : 'no';
  }
}

/** @returns the code with which a server answered; `undefined` for all else, a network that failed for example */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== 'MongoServerError') return undefined;
  const { code } = error as Error & Document;
  return typeof code === 'number' ? code : 0;
}

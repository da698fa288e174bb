export { DocDbService } from './docdb-service.ts';
export { toFrameworkError } from './driver-error.ts';
export { keywordObjectId, ObjectIdSchema } from './object-id/keyword.ts';
export { resolveObjectId, resolveQueryObjectId } from './object-id/resolvers.ts';
export { DocDbIdempotencyStore } from './stores/idempotency-store.ts';
export { sessionStore } from './stores/session-store.ts';
export { DocDbLimiterStore } from './stores/limiter-store.ts';
export { DocDbEventLog, eventLog } from './events/event-log.ts';
export { describeServer, sentenceOf } from './server/describe-server.ts';
export { compareIndexes, indexSentences } from './server/indexes.ts';
export { transaction, transactionHook } from './transaction.ts';
export type {
  AdapterId,
  AnyCollection,
  DocDbParams,
  DocDbServiceOptions,
  DriverOptions,
  NullableAdapterId,
  ResolvedOptions,
  Returning,
  TotalOption,
  UpdateOperators,
  WriteCount,
} from './docdb-types.ts';
export type { CollectionSource, DatabaseSource } from './driver-source.ts';
export type { DocDbLogReader, EventLogOptions, LogChange, LogEntry, LogOrder } from './events/event-log-types.ts';
export type { ObjectIdJSONSchema, ObjectIdKeyword } from './object-id/keyword.ts';
export type { ServerDescription } from './server/describe-server.ts';
export type { Feature, FeatureAnswer } from './server/features.ts';
export type { IndexDifference, IndexReport } from './server/indexes.ts';
export type { SlowCall } from './server/slow-calls.ts';

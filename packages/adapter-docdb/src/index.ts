export { DocDbService } from './docdb-service.ts';
export { toFrameworkError } from './driver-error.ts';
export { keywordObjectId, ObjectIdSchema } from './object-id/keyword.ts';
export { resolveObjectId, resolveQueryObjectId } from './object-id/resolvers.ts';
export { sessionStore } from './authentication/session-store.ts';
export { DocDbLimiterStore } from './authentication/limiter-store.ts';
export { DocDbEventLog, eventLog } from './events/event-log.ts';
export { transaction, transactionHook } from './transaction.ts';
export type {
  AdapterId,
  DocDbParams,
  DocDbServiceOptions,
  DriverOptions,
  NullableAdapterId,
  ResolvedOptions,
  Returning,
  TotalOption,
  WriteCount,
} from './docdb-types.ts';
export type { CollectionSource } from './authentication/session-store.ts';
export type { DatabaseSource, DocDbLogReader, EventLogOptions, LogChange, LogEntry, LogOrder } from './events/event-log-types.ts';
export type { ObjectIdJSONSchema, ObjectIdKeyword } from './object-id/keyword.ts';

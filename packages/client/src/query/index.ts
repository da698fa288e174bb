export { findOptions, getOptions } from './query-options.ts';
export { liveQuery } from './live-query.ts';
export type { CallKey, CallOptions } from './query-options.ts';
export type { LiveClient, LiveQueryOptions, LiveService } from './live-query.ts';

export { sse } from './sse.ts';
export { sse as default } from './sse.ts';
export type { SseConnection } from './connection/streams.ts';
export type { SseOptions } from './sse-options.ts';

export { DocDbServer } from './server.ts';
export type { DocDbServerOptions } from './server.ts';
export type { SyncPolicy } from './storage/sync-policy.ts';
export type { SpawnedServer } from './spawned-server.ts';
export type { FirstUser } from './security/start-options.ts';
export type { TlsOptions } from './wire/tls.ts';

export { DocDbServer } from './server.ts';
export type { DocDbServerOptions } from './server.ts';
export type { SyncPolicy } from './journal/journal.ts';
export type { SpawnedServer } from './spawned-server.ts';

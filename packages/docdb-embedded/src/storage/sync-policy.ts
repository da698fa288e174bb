/** When acknowledged writes are forced to the disk itself; a killed process loses nothing with any of them. */
export type SyncPolicy = 'always' | 'interval' | 'never';

import { DocDbError } from '../errors.ts';

/** Bytes that a sort or a stage keeps in memory. */
export const MEMORY: number = 100 * 1024 * 1024;
/** Bytes that something which is kept takes beside its own. */
export const OVERHEAD = 100;

/** Whether a command may use the disk for what memory has no room for, and how much memory that is. */
export interface MemoryRules {
  /** `allowDiskUse` of the command; it may unless it says `false`. */
  readonly allowDiskUse: boolean;
  /** Bytes. */
  readonly limit?: number;
}

/**
 * Looks whether what has no room in memory may go to the disk.
 *
 * @param what the stage that keeps too much
 * @throws DocDbError (292) when the client has forbidden it
 */
export function checkSpill(what: string, { allowDiskUse, limit = MEMORY }: MemoryRules): void {
  if (allowDiskUse) return;
  throw new DocDbError(292, `${what} exceeded memory limit of ${String(limit)} bytes, but did not opt in to external sorting.`);
}

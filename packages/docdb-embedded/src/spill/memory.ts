import { DocDbError } from '../errors.ts';

/** Bytes that a sort or a stage keeps in memory. */
export const MEMORY: number = 100 * 1024 * 1024;
/** The same where the disk may be used: what is estimated takes up to three times as much until it is collected. */
const BEFORE_DISK: number = 32 * 1024 * 1024;
/** Bytes that something which is kept takes beside its own. */
export const OVERHEAD = 100;

/** Whether a command may use the disk for what memory has no room for, and how much memory that is. */
export interface MemoryRules {
  /** `allowDiskUse` of the command; it may unless it says `false`. */
  readonly allowDiskUse: boolean;
  /** Bytes. */
  readonly limit?: number;
}

/** @returns bytes that may be kept in memory */
export function limitOf({ allowDiskUse, limit = allowDiskUse ? BEFORE_DISK : MEMORY }: MemoryRules): number {
  return limit;
}

/**
 * Looks whether what has no room in memory may go to the disk.
 *
 * @param what the stage that keeps too much
 * @throws DocDbError (292) when the client has forbidden it
 */
export function checkSpill(what: string, rules: MemoryRules): void {
  if (rules.allowDiskUse) return;
  throw new DocDbError(292, `${what} exceeded memory limit of ${String(limitOf(rules))} bytes, but did not opt in to external sorting.`);
}

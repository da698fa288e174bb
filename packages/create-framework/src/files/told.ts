import { CommandError } from '../command-error.ts';

/**
 * Does what reads and writes files whole or not at all.
 *
 * @throws CommandError with what the file system says when it refuses: no rights, no space, a name that is too long
 */
export function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(`Nothing was written, since the file system refuses it: ${error.message}`);
  }
}

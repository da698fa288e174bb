import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange } from './file-change.ts';

/**
 * Writes all changes, or none: each into a file beside the old one, and when all are there each in the place of the old one. What was replaced before an
 * error is put back.
 *
 * @throws Error when a file is not any more as it was when it was planned, or can not be written
 */
export function writeChanges(root: string, changes: readonly FileChange[]): void {
  const mark = `.${randomUUID().slice(0, 8)}.migrate`;
  const place = (file: string): string => join(root, file);
  const drafts: string[] = [];
  const replaced: FileChange[] = [];
  // A signal waits for the end of this turn, in which everything is done or taken back, and ends the process in the next.
  const end = (signal: NodeJS.Signals): void => process.exit(signal === 'SIGINT' ? 130 : 143);
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    for (const { file, before, after } of changes) {
      if (readFileSync(place(file), 'utf8') !== before) throw new Error(`${file} was changed meanwhile: nothing was written`);
      const draft = place(file) + mark;
      drafts.push(draft);
      writeFileSync(draft, after, { flag: 'wx' });
      chmodSync(draft, statSync(place(file)).mode);
    }
    for (const change of changes) {
      renameSync(place(change.file) + mark, place(change.file));
      replaced.push(change);
    }
  } catch (error) {
    for (const { file, before } of replaced) writeFileSync(place(file), before);
    throw error;
  } finally {
    for (const draft of drafts) rmSync(draft, { force: true });
    setImmediate(() => process.off('SIGINT', end).off('SIGTERM', end));
  }
}

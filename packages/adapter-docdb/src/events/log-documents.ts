import type { LogDocument } from './changes.ts';
import type { LogEntry } from './event-log-types.ts';

/** Letters in one document, about: it has room for 16 MB, and a letter takes up to three bytes. */
const MOST_LETTERS = 3_000_000;

/** @returns documents that hold entries in their order, as few as there can be */
export function documentsOf(entries: readonly LogEntry[]): LogDocument[] {
  const documents: { at: Date; entries: LogEntry[] }[] = [];
  let letters = Infinity;
  for (const entry of entries) {
    const more = lettersIn(entry);
    if (letters + more > MOST_LETTERS) {
      documents.push({ at: new Date(), entries: [] });
      letters = 0;
    }
    documents.at(-1)?.entries.push(entry);
    letters += more;
  }
  return documents;
}

function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce((sum: number, each) => sum + lettersIn(each), 0);
}

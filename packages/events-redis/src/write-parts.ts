import type { LogEntry } from '@framework/channels';

/** Letters of one write, about. */
const MOST_LETTERS = 8_000_000;

/** An entry and its JSON. */
export interface Written {
  readonly entry: LogEntry;
  readonly text: string;
}

/** @returns entries in their order, in as few parts as there can be */
export function partsOf(entries: readonly LogEntry[]): Written[][] {
  const parts: Written[][] = [];
  let letters = Infinity;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    if (letters + text.length > MOST_LETTERS) {
      parts.push([]);
      letters = 0;
    }
    parts.at(-1)?.push({ entry, text });
    letters += text.length;
  }
  return parts;
}

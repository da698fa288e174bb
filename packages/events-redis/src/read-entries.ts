import type { LogEntry } from '@framework/channels';

/**
 * Reads what a log has written. What others write into its stream tells nothing, and must not keep what is behind it from being told.
 *
 * @param text JSON of entries; `undefined` in what only marks a place
 */
export function readEntries(text: string | undefined): readonly LogEntry[] {
  const entries = parsed(text);
  return Array.isArray(entries) && entries.every(isEntry) ? entries : [];
}

/** @returns which stream an entry says that it is from here on; `undefined` for what no log has written, which clients could not tell again */
export function readEpoch(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9a-z]{1,24}$/.test(text) ? text : undefined;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return [];
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(entry: unknown): entry is LogEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { key, path, event, text, targets } = entry as Partial<LogEntry>;
  return typeof key === 'string' && [path, event].every(isLine) && isPayload(text) && Array.isArray(targets) && targets.every(isTarget);
}

function isTarget(target: unknown): boolean {
  if (typeof target !== 'object' || target === null) return false;
  const { channel, text } = target as Partial<LogEntry['targets'][number]>;
  return typeof channel === 'string' && (text === undefined || isPayload(text));
}

/** JSON in one line: clients get it as it is, and what they can not read would end their connection, and again when they come back for it. */
function isPayload(text: unknown): boolean {
  return isLine(text) && parsed(text) !== undefined;
}

function isLine(text: unknown): text is string {
  return typeof text === 'string' && !/[\r\n]/.test(text);
}

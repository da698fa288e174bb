/** A part of a text that is replaced. */
export interface Edit {
  /** First character that goes. */
  readonly start: number;
  /** Behind the last character that goes. */
  readonly end: number;
  readonly text: string;
}

/**
 * Replaces parts of a text; all else stays byte by byte.
 *
 * @throws Error for parts that overlap
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) throw new Error(`Two changes overlap at ${String(start)}`);
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

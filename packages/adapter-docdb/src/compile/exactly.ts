/** The longest pattern that the database takes has 32,764 bytes. */
const LONGEST = 8000;

/**
 * A condition that finds a text as it is, also where a collation takes others for the same: patterns know none.
 *
 * @param text any text; one of more than 8,000 characters, of which no pattern can be made, is compared as the collation says
 */
export function exactly(text: string): RegExp | string {
  if (text.length > LONGEST) return text;
  // A pattern ends at a zero. `$` would find what has a line break behind it, and servers that are not MongoDB may know no `(?!…)`.
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\0', '\\x00')}\\z`);
}

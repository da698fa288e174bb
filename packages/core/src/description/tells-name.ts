/** What may stand in the name of a property beside a part of it; a backslash makes another character of what is behind it. */
const OF_NAMES = /[\p{L}\p{N}_\\-]/u;

/**
 * Whether whoever reads a pattern reads the name of a property in it: as a whole, and not as a part of another name.
 *
 * @param pattern a regular expression for names of properties, as text
 */
export function tellsName(pattern: string, name: string): boolean {
  if (name === '') return false;
  const text = pattern.replaceAll(/\\([^\p{L}\p{N}])/gu, '$1');
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!OF_NAMES.test(text.charAt(at - 1)) && !OF_NAMES.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

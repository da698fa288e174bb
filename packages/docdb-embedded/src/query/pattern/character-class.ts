import type { Cursor } from './cursor.ts';
import { escapedChar, escapedSet } from './escapes.ts';
import { invalid, type Node, unsupported } from './nodes.ts';
import { literalIn, posixSet, union } from './sets.ts';

/** Reads a class of characters behind its opening bracket. */
export function parseClass(cursor: Cursor): Node {
  const negated = cursor.take('^');
  const sets: string[] = [];
  let own = '';
  let first = true;
  while (first || !cursor.sees(']')) {
    if (cursor.atEnd) throw invalid('missing terminating ] for character class');
    first = false;
    const low = item(cursor);
    if (low.set !== undefined) {
      sets.push(low.set);
      continue;
    }
    const high = cursor.match(/-(?!\])/y) ? item(cursor) : undefined;
    if (high && high.set !== undefined) {
      // A hyphen before a set is a hyphen.
      own += `${literals(low.char, cursor)}${literalIn('-')}`;
      sets.push(high.set);
    } else own += high ? range(low.char, high.char ?? '', cursor) : literals(low.char, cursor);
  }
  cursor.take(']');
  const parts = own === '' ? sets : [`[${own}]`, ...sets];
  if (sets.length === 0) return { kind: 'set', source: `[${negated ? '^' : ''}${own}]` };
  return { kind: 'set', source: union(parts, negated) };
}

function item(cursor: Cursor): { readonly char: string; readonly set?: undefined } | { readonly set: string; readonly char?: undefined } {
  const posix = cursor.match(/\[:(\^?)([a-z]+):\]/y);
  if (posix) return { set: posixSet(posix[2] ?? '', posix[1] === '^', cursor.wide) };
  if (!cursor.take('\\')) return { char: cursor.next() };
  const set = escapedSet(cursor);
  if (set !== undefined) return { set };
  if (cursor.take('b')) return { char: '\b' };
  const octal = cursor.match(/[1-7][0-7]{0,2}/y);
  if (octal) return { char: String.fromCharCode(Number.parseInt(octal[0], 8)) };
  const char = escapedChar(cursor);
  if (char === undefined) throw invalid('an escape sequence is invalid in a character class');
  return { char };
}

/** Whether letters are of both cases here and not in the whole pattern. */
function folds({ flags, ignoreCase }: Cursor): boolean {
  return flags.ignoreCase && !ignoreCase;
}

function literals(char: string, cursor: Cursor): string {
  const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
  return folds(cursor) && [...other].length === 1 ? literalIn(char) + literalIn(other) : literalIn(char);
}

function range(low: string, high: string, cursor: Cursor): string {
  if ((low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0)) throw invalid('range out of order in character class');
  const both = `${literalIn(low)}-${literalIn(high)}`;
  if (!folds(cursor)) return both;
  if (/^[a-z]{2}$/.test(low + high)) return `${both}${low.toUpperCase()}-${high.toUpperCase()}`;
  if (/^[A-Z]{2}$/.test(low + high)) return `${both}${low.toLowerCase()}-${high.toLowerCase()}`;
  if (/^[0-9]{2}$/.test(low + high)) return both;
  throw unsupported('the option i inside of a pattern with such a range of characters');
}

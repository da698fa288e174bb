import { invalid } from './nodes.ts';

const SPACE = ' \\t\\n\\v\\f\\r';
const WIDE_WORD = '\\p{L}\\p{N}\\p{Mn}\\p{Pc}';
const ACROSS = '\\t \\u00a0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000';
const DOWN = '\\n\\v\\f\\r\\u0085\\u2028\\u2029';
const WIDE_SPACE = `\\p{Z}${ACROSS}${DOWN}`;

/** What stands between brackets for `\d` and its kin; the last says so for all of Unicode. */
const KINDS: Readonly<Record<string, readonly [plain: string, wide: string]>> = {
  d: ['0-9', '\\p{Nd}'],
  w: ['A-Za-z0-9_', WIDE_WORD],
  s: [SPACE, '\\s'],
  h: [ACROSS, ACROSS],
  v: [DOWN, DOWN],
};

const POSIX: Readonly<Record<string, readonly [plain: string, wide: string]>> = {
  alpha: ['A-Za-z', '\\p{L}'],
  digit: ['0-9', '\\p{Nd}'],
  alnum: ['A-Za-z0-9', '\\p{L}\\p{N}'],
  lower: ['a-z', '\\p{Ll}'],
  upper: ['A-Z', '\\p{Lu}'],
  space: [SPACE, '\\s'],
  blank: [' \\t', '\\p{Zs}\\t'],
  punct: ['!-\\/:-@\\[-`\\{-~', '\\p{P}$+<=>\\^`\\|~'],
  word: ['A-Za-z0-9_', WIDE_WORD],
  xdigit: ['0-9A-Fa-f', '0-9A-Fa-f'],
  cntrl: ['\\x00-\\x1f\\x7f', '\\x00-\\x1f\\x7f'],
  graph: ['!-~', '!-~\\u00a1-\\u{10ffff}'],
  print: [' -~', ' -~\\u00a0-\\u{10ffff}'],
  ascii: ['\\x00-\\x7f', '\\x00-\\x7f'],
};

const CATEGORIES = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

/** @returns one character as it is written between brackets */
export function literalIn(char: string): string {
  return /[\\\]^[\-&~|!#$%*+,.:;<=>?@`{}()/]/.test(char) ? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}` : char;
}

/** @returns what `\d`, `\W` or the like stands for, as a set of its own; `undefined` for another letter */
export function kindSet(letter: string, wide: boolean): string | undefined {
  const kind = Object.hasOwn(KINDS, letter.toLowerCase()) ? KINDS[letter.toLowerCase()] : undefined;
  if (!kind) return undefined;
  const inner = kind[wide ? 1 : 0];
  return letter === letter.toLowerCase() ? `[${inner}]` : `[^${inner}]`;
}

/** @throws DocDbError (51091) for a name that no class has */
export function posixSet(name: string, negated: boolean, wide: boolean): string {
  const known = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  if (!known) throw invalid(`unknown POSIX class name '${name}'`);
  return `[${negated ? '^' : ''}${known[wide ? 1 : 0]}]`;
}

/** Properties that PCRE2 has beside those of Unicode: letters and digits, words, spaces, and what names in programs may have. */
const OWN_PROPERTIES: Readonly<Record<string, string>> = {
  Xan: '\\p{L}\\p{N}',
  Xwd: WIDE_WORD,
  Xps: WIDE_SPACE,
  Xsp: WIDE_SPACE,
  Xuc: '$@`\\u00a0-\\ud7ff\\ue000-\\u{10ffff}',
};

/** @returns what a property of Unicode stands for. @throws DocDbError (51091) for one that is not known */
export function propertySet(given: string, negated: boolean): string {
  const inverted = given.startsWith('^');
  const name = (inverted ? given.slice(1) : given).trim();
  const letter = negated !== inverted ? 'P' : 'p';
  if (name === 'Any') return letter === 'p' ? '[^]' : '[]';
  if (name === 'L&') return `\\${letter}{LC}`;
  if (CATEGORIES.test(name)) return `\\${letter}{${name}}`;
  const own = Object.hasOwn(OWN_PROPERTIES, name) ? OWN_PROPERTIES[name] : undefined;
  if (own !== undefined) return `[${letter === 'P' ? '^' : ''}${own}]`;
  try {
    return new RegExp(`\\${letter}{Script=${name}}`, 'u').source;
  } catch {
    throw invalid(`unknown property '${name}' after \\P or \\p`);
  }
}

/** @returns one set of all that is in any of several */
export function union(parts: readonly string[], negated: boolean): string {
  if (negated) return parts.length === 0 ? '[^]' : `(?:(?!${parts.join('|')})[^])`;
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : `(?:${parts.join('|')})`;
}

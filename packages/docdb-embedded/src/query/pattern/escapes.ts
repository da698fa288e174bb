import type { Cursor } from './cursor.ts';
import { invalid, type Node, unsupported } from './nodes.ts';
import { kindSet, literalIn, propertySet } from './sets.ts';

const CONTROLS: Readonly<Record<string, string>> = { a: '\u0007', e: '\u001b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** @returns the character that an escape names, `undefined` for one that names none */
export function escapedChar(cursor: Cursor): string | undefined {
  const code = cursor.match(/x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{0,2})|o\{([0-7]+)\}|(0[0-7]{0,2})/y);
  if (code) {
    const [, braced, short, octal, zero] = code;
    const value =
      octal === undefined && zero === undefined ? Number.parseInt(braced ?? (short || '0'), 16) : Number.parseInt(octal ?? zero ?? '0', 8);
    if (value > 0x10ffff) throw invalid('character code point value in \\x{} or \\o{} is too large');
    return String.fromCodePoint(value);
  }
  const control = cursor.match(/c([\x20-\x7e])/y);
  if (control?.[1] !== undefined) return String.fromCharCode(control[1].toUpperCase().charCodeAt(0) ^ 64);
  const letter = cursor.match(/[aefnrt]/y);
  if (letter) return CONTROLS[letter[0]];
  return cursor.match(/[^A-Za-z0-9]/uy)?.[0];
}

/** @returns the set that an escape names, within a class too; `undefined` for one that names none */
export function escapedSet(cursor: Cursor): string | undefined {
  const property = cursor.match(/([pP])(?:\{([^}]+)\}|([A-Z]))/y);
  if (property) return propertySet(property[2] ?? property[3] ?? '', property[1] === 'P');
  const kind = cursor.match(/[dDwWsShHvV]/y);
  return kind ? kindSet(kind[0], cursor.wide) : undefined;
}

const WORD: readonly [string, string] = ['[A-Za-z0-9_]', '[\\p{L}\\p{N}\\p{Mn}\\p{Pc}]'];

/** Reads what follows a backslash outside of classes. */
export function atomEscape(cursor: Cursor): Node {
  const set = escapedSet(cursor);
  if (set !== undefined) return { kind: 'set', source: set };
  const word = WORD[cursor.wide ? 1 : 0] ?? '';
  if (cursor.take('b')) return { kind: 'place', source: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))` };
  if (cursor.take('B')) return { kind: 'place', source: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))` };
  if (cursor.take('A') || cursor.take('G')) return { kind: 'place', source: '^', atStart: true };
  if (cursor.take('Z')) return { kind: 'place', source: '(?=\\n?$)' };
  if (cursor.take('z')) return { kind: 'place', source: '$' };
  if (cursor.take('K')) return { kind: 'keep' };
  if (cursor.take('N')) return { kind: 'set', source: '[^\\n]' };
  if (cursor.take('R')) return { kind: 'atomic', of: LINE_END };
  if (cursor.take('E')) return { kind: 'sequence', parts: [] };
  if (cursor.take('Q')) return quoted(cursor);
  const octal = cursor.match(/[1-7][0-7]{1,2}/y);
  if (octal) return numberedEscape(octal[0], cursor);
  const back = backReference(cursor);
  if (back !== undefined) return { kind: 'back', group: back, at: cursor.captures };
  if (cursor.sees('X') || cursor.sees('C')) throw unsupported(`\\${cursor.next()}`);
  if (cursor.atEnd) throw invalid('\\ at end of pattern');
  const char = escapedChar(cursor);
  if (char === undefined) throw invalid(`unrecognized character follows \\: ${cursor.rest.slice(0, 1)}`);
  return { kind: 'set', source: `[${literalIn(char)}]`, literal: char };
}

const LINE_END: Node = {
  kind: 'choice',
  branches: [
    {
      kind: 'sequence',
      parts: [
        { kind: 'set', source: '\\r' },
        { kind: 'set', source: '\\n' },
      ],
    },
    { kind: 'set', source: '[\\n\\v\\f\\r\\u0085\\u2028\\u2029]' },
  ],
};

/** Two or three digits name a group that came before, or else a character. */
function numberedEscape(digits: string, cursor: Cursor): Node {
  if (Number(digits) <= cursor.captures) return { kind: 'back', group: Number(digits), at: cursor.captures };
  const char = String.fromCharCode(Number.parseInt(digits, 8));
  return { kind: 'set', source: `[${literalIn(char)}]`, literal: char };
}

function quoted(cursor: Cursor): Node {
  const parts: Node[] = [];
  while (!cursor.atEnd && !cursor.take('\\E')) {
    const char = cursor.next();
    parts.push({ kind: 'set', source: `[${literalIn(char)}]`, literal: char });
  }
  return { kind: 'sequence', parts };
}

function backReference(cursor: Cursor): number | string | undefined {
  const named = cursor.match(/k(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'|\{([A-Za-z_]\w*)\})|g\{([A-Za-z_]\w*)\}/y);
  if (named) return named[1] ?? named[2] ?? named[3] ?? named[4];
  const relative = cursor.match(/g(?:\{(-\d+)\}|(-\d+))/y);
  if (relative) return cursor.captures + 1 + Number(relative[1] ?? relative[2]);
  const numbered = cursor.match(/g(?:\{(\d+)\}|(\d+))|([1-9]\d*)/y);
  return numbered ? Number(numbered[1] ?? numbered[2] ?? numbered[3]) : undefined;
}

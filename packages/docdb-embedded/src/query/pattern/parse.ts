import { parseClass } from './character-class.ts';
import { Cursor, type Flags } from './cursor.ts';
import { atomEscape } from './escapes.ts';
import { invalid, type Node, type Pattern, type Repeat, unsupported, widthOf } from './nodes.ts';
import { literalIn } from './sets.ts';

/** Groups inside each other. */
const MAX_DEPTH = 250;
/** Largest number of a repetition. */
const MOST_REPEATED = 65_535;

/**
 * Reads a pattern as the server's library does.
 *
 * @param flags among `imsxu`
 * @throws DocDbError (51091) for what does not compile, or is not supported
 */
export function parsePattern(source: string, flags: ReadonlySet<string>): Pattern {
  const { wide, rest } = verbs(source);
  const leading = /^\(\?([imsx]+)\)/.exec(rest);
  const all = new Set([...flags, ...(leading?.[1] ?? '')]);
  const start: Flags = { ignoreCase: all.has('i'), lines: all.has('m'), dotAll: all.has('s'), extended: all.has('x') };
  const cursor = new Cursor(leading ? rest.slice(leading[0].length) : rest, start, wide);
  const root = choice(cursor, 0);
  if (!cursor.atEnd) throw invalid('unmatched closing parenthesis');
  return { root, names: cursor.names, captures: cursor.captures, ignoreCase: start.ignoreCase };
}

/** What stands before a pattern and says how it is read. */
function verbs(source: string): { readonly wide: boolean; readonly rest: string } {
  let rest = source;
  let wide = false;
  for (let found = /^\(\*([A-Z0-9_=]+)\)/.exec(rest); found; found = /^\(\*([A-Z0-9_=]+)\)/.exec(rest)) {
    const [whole, name = ''] = found;
    if (name === 'UCP') wide = true;
    else if (!['UTF', 'UTF8', 'LF', 'NO_JIT', 'NO_START_OPT', 'NO_AUTO_POSSESS'].includes(name)) throw unsupported(whole);
    rest = rest.slice(whole.length);
  }
  return { wide, rest };
}

function choice(cursor: Cursor, depth: number): Node {
  if (depth > MAX_DEPTH) throw invalid('parentheses are too deeply nested');
  const { flags } = cursor;
  const branches = [sequence(cursor, depth)];
  while (cursor.take('|')) branches.push(sequence(cursor, depth));
  cursor.flags = flags;
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'choice', branches };
}

function sequence(cursor: Cursor, depth: number): Node {
  const parts: Node[] = [];
  for (;;) {
    cursor.skipComments();
    if (cursor.atEnd || cursor.sees('|') || cursor.sees(')')) break;
    const node = atom(cursor, depth);
    if (node) parts.push(repeated(cursor, node));
  }
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
}

function repeated(cursor: Cursor, node: Node): Node {
  let result = node;
  for (let repeat = repetition(cursor); repeat; repeat = repetition(cursor)) {
    if (node.kind === 'keep') throw invalid('quantifier does not follow a repeatable item');
    result = { kind: 'repeat', of: result, repeat };
  }
  return result;
}

function repetition(cursor: Cursor): Repeat | undefined {
  cursor.skipComments();
  const [least, most] = cursor.take('*')
    ? [0, Infinity]
    : cursor.take('+')
      ? [1, Infinity]
      : cursor.take('?')
        ? [0, 1]
        : (counts(cursor) ?? [undefined, undefined]);
  if (least === undefined || most === undefined) return undefined;
  return { least, most, mode: cursor.take('+') ? 'possessive' : cursor.take('?') ? 'lazy' : 'greedy' };
}

function counts(cursor: Cursor): readonly [number, number] | undefined {
  const found = cursor.match(/\{(\d+)(,(\d*))?\}/y);
  if (!found) return undefined;
  const [, low = '', comma, high] = found;
  const least = Number(low);
  const most = comma === undefined ? least : high === undefined || high === '' ? Infinity : Number(high);
  if (least > MOST_REPEATED || (most !== Infinity && most > MOST_REPEATED)) throw invalid('number too big in {} quantifier');
  if (most < least) throw invalid('numbers out of order in {} quantifier');
  return [least, most];
}

function atom(cursor: Cursor, depth: number): Node | undefined {
  if (cursor.take('(')) return group(cursor, depth);
  if (cursor.take('[')) return parseClass(cursor);
  if (cursor.take('\\')) return atomEscape(cursor);
  const char = cursor.next();
  const { dotAll, lines } = cursor.flags;
  switch (char) {
    case '.':
      return { kind: 'set', source: dotAll ? '[^]' : '[^\\n]' };
    case '^':
      return { kind: 'place', source: lines ? '(?:^|(?<=\\n)(?=[^]))' : '^', atStart: !lines };
    case '$':
      return { kind: 'place', source: lines ? '(?=\\n|$)' : '(?=\\n?$)' };
    case '*':
    case '+':
    case '?':
      throw invalid('quantifier does not follow a repeatable item');
    default:
      return literal(char, cursor);
  }
}

function literal(char: string, { flags, ignoreCase }: Cursor): Node {
  const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
  const both = flags.ignoreCase && !ignoreCase && [...other].length === 1 && other !== char;
  return {
    kind: 'set',
    source: both ? `[${literalIn(char)}${literalIn(other)}]` : `[${literalIn(char)}]`,
    literal: flags.ignoreCase ? char.toLowerCase() : char,
  };
}

function group(cursor: Cursor, depth: number): Node | undefined {
  if (!cursor.take('?')) {
    if (cursor.take('*')) throw unsupported('a verb inside of a pattern');
    return capture(cursor, depth, undefined);
  }
  const named = cursor.match(/P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'/y);
  if (named) return capture(cursor, depth, named[1] ?? named[2]);
  const back = cursor.match(/P=([A-Za-z_]\w*)\)/y);
  if (back?.[1] !== undefined) return { kind: 'back', group: back[1], at: cursor.captures };
  const switched = cursor.match(/([imsx]*)(?:-([imsx]+))?([:)])/y);
  if (switched) return inner(cursor, depth, switched);
  for (const [text, kind] of GROUPS) if (cursor.take(text)) return closed(cursor, depth, kind);
  throw unsupported(`the group (?${cursor.rest.slice(0, 3)}`);
}

const GROUPS = [
  ['>', 'atomic'],
  ['=', 'ahead'],
  ['!', 'notAhead'],
  ['<=', 'behind'],
  ['<!', 'notBehind'],
] as const;

function inner(cursor: Cursor, depth: number, [, on = '', off = '', end]: RegExpExecArray): Node | undefined {
  const flag = (letter: string, was: boolean): boolean => (on.includes(letter) || was) && !off.includes(letter);
  const { flags } = cursor;
  const changed: Flags = {
    ignoreCase: flag('i', flags.ignoreCase),
    lines: flag('m', flags.lines),
    dotAll: flag('s', flags.dotAll),
    extended: flag('x', flags.extended),
  };
  if (cursor.ignoreCase && !changed.ignoreCase) throw unsupported('turning the option i off inside of a pattern');
  cursor.flags = changed;
  if (end === ')') return undefined;
  const node = closed(cursor, depth, 'plain');
  cursor.flags = flags;
  return node;
}

function closed(cursor: Cursor, depth: number, kind: 'plain' | (typeof GROUPS)[number][1]): Node {
  const of = choice(cursor, depth + 1);
  if (!cursor.take(')')) throw invalid('missing closing parenthesis');
  if (kind === 'behind' || kind === 'notBehind')
    for (const branch of of.kind === 'choice' ? of.branches : [of]) {
      const [least, most] = widthOf(branch);
      if (least !== most) throw invalid('lookbehind assertion is not fixed length');
    }
  return { kind, of };
}

function capture(cursor: Cursor, depth: number, name: string | undefined): Node {
  const number = cursor.openCapture(name);
  const of = choice(cursor, depth + 1);
  if (!cursor.take(')')) throw invalid('missing closing parenthesis');
  return { kind: 'capture', of, number, name };
}

import { BadRequest, loadInstalled } from '@framework/errors';

/** Longest pattern from outside, in characters (security S13). */
export const PATTERN_LENGTH = 100;

/** Steps of the analysis of one pattern: what needs more is refused. */
const MAX_STEPS = 200;

/** Groups within each other: a step of the analysis costs more in each. */
const MAX_NESTED = 5;

/** Ways in which a text may match before a pattern counts as one that tries without end. */
const MAX_SCORE = 20;

/** Verdicts that are kept. */
const MAX_KNOWN = 1000;

/**
 * What JavaScript and the database read alike. Escapes of letters that only one of them knows, look-around, references back and classes
 * by name are left out: their meaning, or their cost, is another one there.
 */
const COMMON =
  /^(?:[^\\[(]|\\[dDwWsSbBnrtf]|\\[^A-Za-z0-9]|\\x[0-9a-fA-F]{2}|\((?!\?)|\(\?:|\[(?!\^?\])(?:[^\\[\]]|\\[dDwWsSnrtf]|\\[^A-Za-z0-9]|\\x[0-9a-fA-F]{2})+\])*$/;

/** `{,3}` and `{1, 3}` are text to one, and a repetition to newer ones of the other. */
const LOOSE_REPETITION = /\{(?!\d+(?:,\d*)?\})[\d, \t]+\}/;

/** Classes, escapes, and all other characters. */
const PARTS = /\[(?:\\.|[^\\\]])+\]|\\(?:x..|.)|./gs;

/** Stands for what may match or not: a character that patterns do not name. */
const UNKNOWN = '\ue000';

const LINE_ENDS = ['\n', '\r', '\u2028', '\u2029'];

const known = new Map<string, boolean>();

/**
 * Checks a pattern that came from outside: it is matched against every record, so that only patterns are taken of which an analysis
 * shows that matching takes time in proportion to the text.
 *
 * @param pattern the pattern
 * @param flags any of `i`, `m` and `s`, and `x` where the pattern has nothing that it changes. Default: none
 * @throws BadRequest (400) for patterns that are too long, that can not be read, or that may take longer; Error with what to do for a program that is a bundle,
 *   beside which the analysis is not installed
 * @see security S13
 */
export function checkPattern(pattern: unknown, flags: unknown = ''): asserts pattern is string {
  if (typeof pattern !== 'string') throw new BadRequest('$regex must be text');
  if (typeof flags !== 'string' || !/^[imsx]{0,4}$/.test(flags)) throw new BadRequest('$options may hold i, m, s and x');
  if (pattern.length > PATTERN_LENGTH) throw new BadRequest(`$regex may have at most ${String(PATTERN_LENGTH)} characters`);
  if (flags.includes('x') && /[\s#]/.test(pattern)) throw new BadRequest('$options may hold x only for a pattern without spaces and #');
  const key = `${[...flags].sort().join('')}/${pattern}`;
  const verdict = known.get(key) ?? isLinear(pattern, flags);
  known.delete(key);
  known.set(key, verdict);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  if (!verdict && !isReadable(pattern))
    throw new BadRequest('$regex can not be read: a character that is to stand for itself, such as ( [ * + ? or \\, needs a \\ before it');
  if (!verdict)
    throw new BadRequest(
      `$regex may take too long: repeat nothing that repeats, let no two repetitions follow each other that match the same, begin with ^ before a repetition, follow it with no \\b or \\B otherwise, use no look-around or references, and no more than ${String(MAX_NESTED)} groups in each other; with the option m, match no ends of lines beside ^ or $`,
    );
}

/** Whoever types a search has to know that it is not the time. */
function isReadable(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

function isLinear(pattern: string, flags: string): boolean {
  if (!COMMON.test(pattern) || LOOSE_REPETITION.test(pattern)) return false;
  const parts: readonly string[] = pattern.match(PARTS) ?? [];
  if (nesting(parts) > MAX_NESTED) return false;
  // Without it nothing can be told of any pattern, which is no fault of this one.
  const { isSafePattern } = analysis();
  try {
    if ((flags.includes('m') && !isBoundByLines(parts, flags)) || !isSafe(isSafePattern, pattern, flags)) return false;
    const failing = withFailingPlaces(parts);
    return failing === pattern || isSafe(isSafePattern, failing, flags);
  } catch {
    // It can not be read, or not be analysed.
    return false;
  }
}

function nesting(parts: readonly string[]): number {
  let [depth, deepest] = [0, 0];
  for (const part of parts) {
    if (part === '(') deepest = Math.max(deepest, ++depth);
    else if (part === ')') depth--;
  }
  return deepest;
}

/**
 * With `m`, `^` begins anew at each line, and `$` is not the end. Where nothing matches the end of a line, each line is a text of its own; else there may be
 * no anchors, or nothing that repeats.
 */
function isBoundByLines(parts: readonly string[], flags: string): boolean {
  const has = (names: string): boolean => parts.some((part) => names.includes(part));
  return !(has('^$') && has('*+?{')) || !parts.some((part) => matchesLineEnd(part, flags));
}

function matchesLineEnd(part: string, flags: string): boolean {
  // One character is an operator or itself.
  if (part.length === 1 && part !== '.') return LINE_ENDS.includes(part);
  const alone = new RegExp(`^${part}$`, flags.includes('s') ? 's' : '');
  return LINE_ENDS.some((end) => alone.test(end));
}

/** The analysis takes it that `\b`, `\B` and a `^` further on match wherever they are tried: where they do not, what is before them is tried again. */
function withFailingPlaces(parts: readonly string[]): string {
  let depth = 0;
  let before = '|';
  const made = parts.map((part) => {
    const begins = before === '|' && depth === 0;
    before = part;
    if (part === '(') depth++;
    else if (part === ')') depth--;
    return part === '\\b' || part === '\\B' || (part === '^' && !begins) ? UNKNOWN : part;
  });
  return made.join('');
}

/** Of each line, where the flags make lines. */
function isSafe(isSafePattern: Analysis['isSafePattern'], pattern: string, flags: string): boolean {
  const result = isSafePattern(pattern, {
    maxScore: MAX_SCORE,
    maxSteps: MAX_STEPS,
    // Steps are counted, so that the verdict is the same on every machine.
    timeout: Infinity,
    caseInsensitive: flags.includes('i'),
    dotAll: flags.includes('s'),
  });
  return result.safe;
}

type Analysis = typeof import('redos-detector');

/**
 * Loaded with the first pattern: most applications never get one.
 *
 * @throws Error with what to do for a bundle, beside which it is not
 */
function analysis(): Analysis {
  return loadInstalled('redos-detector', import.meta.url, '@framework/query') as Analysis;
}

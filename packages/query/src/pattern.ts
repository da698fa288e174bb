import { BadRequest } from '@framework/errors';

/** Longest pattern from outside, in characters (security S13). */
export const PATTERN_LENGTH = 100;

/** Steps of the analysis of one pattern: what needs more is refused. */
const MAX_STEPS = 200;

/** Ways in which a text may match before a pattern counts as one that tries without end. */
const MAX_SCORE = 20;

/** Verdicts that are kept. */
const MAX_KNOWN = 1000;

/**
 * What JavaScript and the database read alike. Escapes of letters that only one of them knows, look-around, references back and classes
 * by name are left out: their meaning, or their cost, is another one there.
 */
const COMMON =
  /^(?:[^\\[(]|\\[dDwWsSbBnrtfv]|\\[^A-Za-z0-9]|\\x[0-9a-fA-F]{2}|\((?!\?)|\(\?:|\[(?!\^?\])(?:[^\\[\]]|\\[dDwWsSnrtfv]|\\[^A-Za-z0-9]|\\x[0-9a-fA-F]{2})+\])*$/;

const known = new Map<string, boolean>();

/**
 * Checks a pattern that came from outside: it is matched against every record, so that only patterns are taken of which an analysis
 * shows that matching takes time in proportion to the text.
 *
 * @param pattern the pattern
 * @param flags any of `i`, `m` and `s`, and `x` where the pattern has nothing that it changes. Default: none
 * @throws BadRequest (400) for patterns that are too long, that can not be read, or that may take longer
 * @see security S13
 */
export function checkPattern(pattern: unknown, flags: unknown = ''): asserts pattern is string {
  if (typeof pattern !== 'string') throw new BadRequest('$regex must be text');
  if (typeof flags !== 'string' || !/^[imsx]*$/.test(flags)) throw new BadRequest('$options may hold i, m, s and x');
  if (pattern.length > PATTERN_LENGTH) throw new BadRequest(`$regex may have at most ${String(PATTERN_LENGTH)} characters`);
  if (flags.includes('x') && /[\s#]/.test(pattern)) throw new BadRequest('$options may hold x only for a pattern without spaces and #');
  const key = `${[...flags].sort().join('')}/${pattern}`;
  const verdict = known.get(key) ?? isLinear(pattern, flags);
  known.delete(key);
  known.set(key, verdict);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  if (!verdict)
    throw new BadRequest(
      '$regex may take too long: repeat nothing that repeats, let no two repetitions follow each other that match the same, begin with ^ before a repetition, and use no look-around or references',
    );
}

function isLinear(pattern: string, flags: string): boolean {
  // `{,3}` is text to one, and a repetition to newer ones of the other.
  if (!COMMON.test(pattern) || pattern.includes('{,')) return false;
  try {
    const result = analysis().isSafePattern(pattern, {
      maxScore: MAX_SCORE,
      maxSteps: MAX_STEPS,
      // Steps are counted, so that the verdict is the same on every machine.
      timeout: Infinity,
      caseInsensitive: flags.includes('i'),
      multiLine: flags.includes('m'),
      dotAll: flags.includes('s'),
    });
    return result.safe;
  } catch {
    // It can not be read, or not be analysed.
    return false;
  }
}

/** Loaded with the first pattern: most applications never get one. */
function analysis(): typeof import('redos-detector') {
  return load('redos-detector') as typeof import('redos-detector');
}

/** No import, so that browsers, which never check a pattern, can load this package. */
function load(name: string): unknown {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)(name);
}

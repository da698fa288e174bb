import { createContext, Script } from 'node:vm';
import { BSONRegExp, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { pause } from '../interrupt.ts';
import { growthOf } from './pattern/cost.ts';
import { emit } from './pattern/emit.ts';
import { parsePattern } from './pattern/parse.ts';

/** Longest pattern, in characters. */
const MAX_PATTERN = 16_384;

/** Steps that a search may take without being watched. */
const UNWATCHED = 1_000_000;
/** Milliseconds that a search may take for one text. */
const LONGEST = 500;

/** What was found in a text. */
export interface Match {
  readonly text: string;
  /** Where it begins, in units of UTF-16. */
  readonly index: number;
  readonly captures: readonly (string | undefined)[];
}

/** A pattern of the server's library that can be looked for in texts. A search that takes too long fails (51156). */
export class TextPattern {
  readonly #expression: RegExp;
  readonly #captures: readonly number[];
  readonly #growth: number;

  /**
   * @param options flags among `imsxu`
   * @throws DocDbError (51091, 51108) for what does not compile
   */
  constructor(pattern: string, options: string) {
    if (pattern.length > MAX_PATTERN) throw new DocDbError(51091, 'Regular expression is too long');
    for (const flag of options) if (!'imsxu'.includes(flag)) throw new DocDbError(51108, `invalid flag in regex options: ${flag}`);
    const parsed = parsePattern(pattern, new Set(options));
    const { source, captures } = emit(parsed);
    this.#captures = captures;
    this.#growth = growthOf(parsed.root);
    try {
      this.#expression = new RegExp(source, parsed.ignoreCase ? 'giu' : 'gu');
    } catch (error) {
      throw new DocDbError(51091, `Regular expression is invalid: ${error instanceof Error ? error.message : ''}`);
    }
  }

  /** @returns whether a text has it anywhere */
  test(text: string): boolean {
    return this.#search(text, 0, () => this.#expression.test(text));
  }

  /** @returns what is found first from a place on */
  find(text: string, from = 0): Match | undefined {
    const found = this.#search(text, from, () => this.#expression.exec(text));
    return found ? { text: found[0], index: found.index, captures: this.#captures.map((place) => found[place]) } : undefined;
  }

  #search<T>(text: string, from: number, work: () => T): T {
    const { length } = text;
    const search = (): T => {
      this.#expression.lastIndex = from;
      return work();
    };
    return length ** this.#growth <= UNWATCHED || length === 0 ? search() : watched(search);
  }
}

const box: { work: (() => unknown) | undefined } = { work: undefined };
const room = createContext(box);
const watch = new Script('work()');

/** Does work that may have no end. @throws DocDbError (51156) when it takes too long */
function watched<T>(work: () => T): T {
  let result: { readonly value: T } | undefined;
  box.work = () => {
    result = { value: work() };
  };
  try {
    watch.runInContext(room, { timeout: LONGEST });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    box.work = undefined;
  }
  pause();
  if (!result)
    throw new DocDbError(51156, 'Error occurred while executing the regular expression: match limit exceeded (result code: -47)');
  return result.value;
}

function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Patterns that were compiled lately. */
const patterns = new Map<string, TextPattern>();
const MOST_PATTERNS = 500;

/**
 * @returns a pattern, compiled once
 * @throws DocDbError (51091, 51108) for what does not compile
 */
export function textPattern(pattern: string, options: string): TextPattern {
  const key = `${options}/${pattern}`;
  const known = patterns.get(key);
  if (known) return known;
  const made = new TextPattern(pattern, options);
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(key, made);
  return made;
}

/** Compiles a regular expression of a query. */
export function compileRegex(pattern: string, options: string): (text: string) => boolean {
  const compiled = textPattern(pattern, options);
  return (text) => compiled.test(text);
}

/** @returns pattern and flags of a regular expression value or of text */
export function regexParts(value: Value): { pattern: string; options: string } | undefined {
  if (value instanceof BSONRegExp) return { pattern: value.pattern, options: value.options };
  return typeof value === 'string' ? { pattern: value, options: '' } : undefined;
}

import { BSONRegExp, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** Longest pattern, in characters. */
const MAX_PATTERN = 32_764;

/**
 * Compiles a regular expression of a query.
 *
 * @param pattern the pattern; inline flags at its start, as in `(?i)`, are honoured
 * @param options flags among `imsxu`
 * @throws DocDbError (51091, 51108) for what does not compile
 */
export function compileRegex(pattern: string, options: string): (text: string) => boolean {
  const expression = toRegExp(pattern, options);
  return (text) => {
    expression.lastIndex = 0;
    return expression.test(text);
  };
}

/** @returns the expression in JavaScript's form, with the flag `u` where the pattern allows it */
export function toRegExp(pattern: string, options: string, extraFlags = ''): RegExp {
  if (pattern.length > MAX_PATTERN) throw new DocDbError(51091, 'Regular expression is too long');
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = new Set([...options, ...(inline?.[1] ?? '')]);
  for (const flag of flags) {
    if (!'imsxu'.includes(flag)) throw new DocDbError(51108, `invalid flag in regex options: ${flag}`);
  }
  let source = inline ? pattern.slice(inline[0].length) : pattern;
  if (flags.has('x')) source = withoutComments(source);
  source = asJavaScript(source);
  const common = ['i', 'm', 's'].filter((flag) => flags.has(flag)).join('') + extraFlags;
  try {
    return new RegExp(source, `${common}u`);
  } catch {
    try {
      return new RegExp(source, common);
    } catch (error) {
      throw new DocDbError(51091, `Regular expression is invalid: ${(error as Error).message}`);
    }
  }
}

/** Named groups, and white space of ASCII alone, as the server's library has them. */
function asJavaScript(source: string): string {
  let inClass = false;
  return source.replace(/\\[\s\S]|\(\?P<(?=[A-Za-z_])|[[\]]/g, (part) => {
    if (part === '[') inClass = true;
    if (part === ']') inClass = false;
    if (part === '(?P<') return inClass ? part : '(?<';
    if (part === '\\s') return inClass ? WHITE_SPACE : `[${WHITE_SPACE}]`;
    return part === '\\S' && !inClass ? `[^${WHITE_SPACE}]` : part;
  });
}

const WHITE_SPACE = ' \\t\\n\\v\\f\\r';

/** The flag `x`: white space and comments outside classes do not count. */
function withoutComments(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]])*\]|#[^\n]*|\s+/g, (part) => (part.startsWith('\\') || part.startsWith('[') ? part : ''));
}

/** @returns pattern and flags of a regular expression value or of text */
export function regexParts(value: Value): { pattern: string; options: string } | undefined {
  if (value instanceof BSONRegExp) return { pattern: value.pattern, options: value.options };
  return typeof value === 'string' ? { pattern: value, options: '' } : undefined;
}

import { BSONRegExp, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { tick } from '../../interrupt.ts';
import { type Match, textPattern, type TextPattern } from '../../query/regex.ts';
import type { Operator } from '../operators.ts';
import { isNullish, named } from './define.ts';
import { textOf } from './text-argument.ts';

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

function patternOf(name: string, regex: Value, options: Value): Pattern | undefined {
  if (!isNullish(regex) && typeof regex !== 'string' && !(regex instanceof BSONRegExp))
    throw new DocDbError(51105, `${name} needs 'regex' to be of type string or regex, found: ${typeName(regex)}`);
  if (!isNullish(options) && typeof options !== 'string') throw new DocDbError(51106, `${name} needs 'options' to be of type string`);
  if (isNullish(regex)) return undefined;
  const source = regex instanceof BSONRegExp ? regex.pattern : regex;
  const own = regex instanceof BSONRegExp ? regex.options : '';
  if (own !== '' && typeof options === 'string')
    throw new DocDbError(51107, `${name}: found regex option(s) specified in both 'regex' and 'option' fields`);
  if (source.includes('\0')) throw new DocDbError(51109, `${name}: regular expression cannot contain an embedded null byte`);
  if (typeof options === 'string' && options.includes('\0'))
    throw new DocDbError(51110, `${name}: options cannot contain an embedded null byte`);
  return { source, flags: isNullish(options) ? own : options };
}

function compiled(name: string, { source, flags }: Pattern): TextPattern {
  if (source.length > MAX_PATTERN) throw new DocDbError(51111, `Invalid Regex in ${name}: regular expression is too large`);
  try {
    return textPattern(source, flags);
  } catch (error) {
    if (error instanceof DocDbError && error.code === 51091) throw new DocDbError(51111, `Invalid Regex in ${name}: ${error.message}`);
    throw error;
  }
}

/** Longest pattern of an expression, in characters. */
const MAX_PATTERN = 16_384;

function regexOperator(name: string, of: (pattern: TextPattern, input: string) => Value, empty: () => Value): Operator {
  return named(
    ['input', 'regex', 'options'],
    ([input, regex, options]) => {
      const pattern = patternOf(name, regex, options);
      if (!isNullish(input)) textOf(input, 51104, name, "'input'");
      const expression = pattern && compiled(name, pattern);
      return expression && !isNullish(input) ? of(expression, input as string) : empty();
    },
    { shape: 51103, unknown: 31024, missing: { input: 31022, regex: 31023 } },
  );
}

function matchResult({ text, captures }: Match, idx: number): Value {
  return { match: text, idx, captures: captures.map((part) => part ?? null) };
}

function pointsIn(text: string): number {
  return [...text].length;
}

function findAll(pattern: TextPattern, input: string): Value {
  const found: Value[] = [];
  let counted = 0;
  let points = 0;
  for (let from = 0; from < Math.max(input.length, 1);) {
    tick();
    const match = pattern.find(input, from);
    if (!match || match.index >= Math.max(input.length, 1)) break;
    points += pointsIn(input.slice(counted, match.index));
    counted = match.index;
    found.push(matchResult(match, points));
    from = match.text === '' ? match.index + ((input.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1) : match.index + match.text.length;
  }
  return found;
}

/** Operators that look for patterns. */
export const patternOperators: Readonly<Record<string, Operator>> = {
  $regexMatch: regexOperator(
    '$regexMatch',
    (pattern, input) => pattern.test(input),
    () => false,
  ),
  $regexFind: regexOperator(
    '$regexFind',
    (pattern, input) => {
      const match = pattern.find(input);
      return match ? matchResult(match, pointsIn(input.slice(0, match.index))) : null;
    },
    () => null,
  ),
  $regexFindAll: regexOperator('$regexFindAll', findAll, () => []),
};

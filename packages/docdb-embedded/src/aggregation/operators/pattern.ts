import { BSONRegExp, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { toRegExp } from '../../query/regex.ts';
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

function compiled(name: string, { source, flags }: Pattern): RegExp {
  try {
    return toRegExp(source, flags, 'g');
  } catch (error) {
    if (error instanceof DocDbError && error.code === 51091) throw new DocDbError(51111, `Invalid Regex in ${name}: ${error.message}`);
    throw error;
  }
}

function regexOperator(name: string, of: (expression: RegExp, input: string) => Value, empty: () => Value): Operator {
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

function matchResult(match: RegExpExecArray, input: string): Value {
  return {
    match: match[0],
    idx: [...input.slice(0, match.index)].length,
    captures: match.slice(1).map((part) => (part as string | undefined) ?? null),
  };
}

/** Operators that look for patterns. */
export const patternOperators: Readonly<Record<string, Operator>> = {
  $regexMatch: regexOperator(
    '$regexMatch',
    (expression, input) => expression.test(input),
    () => false,
  ),
  $regexFind: regexOperator(
    '$regexFind',
    (expression, input) => {
      const match = expression.exec(input);
      return match ? matchResult(match, input) : null;
    },
    () => null,
  ),
  $regexFindAll: regexOperator(
    '$regexFindAll',
    (expression, input) =>
      [...input.matchAll(expression)].filter(({ index }) => index < Math.max(input.length, 1)).map((match) => matchResult(match, input)),
    () => [],
  ),
};

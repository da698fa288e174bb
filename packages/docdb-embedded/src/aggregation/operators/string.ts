import { toNumber } from '../../bson/arithmetic.ts';
import { compare } from '../../bson/compare.ts';
import { BSONRegExp, isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { regexParts, toRegExp } from '../../query/regex.ts';
import type { Operator } from '../operators.ts';
import { toText } from './conversion.ts';
import { between, fixed, isNullish, named } from './define.ts';

function text(name: string, value: Value): string {
  if (typeof value !== 'string') throw new DocDbError(34471, `${name} requires a string argument, found: ${typeName(value)}`);
  return value;
}

function coerced(of: (value: string) => Value): Operator {
  return fixed(1, ([value]) => of(isNullish(value) ? '' : toText(value)));
}

function trim(side: 'both' | 'left' | 'right'): Operator {
  return named(['input', 'chars'], ([input, chars]) => {
    if (isNullish(input) || chars === null) return null;
    const value = text('$trim', input);
    const set = new Set(
      chars === undefined
        ? [...'\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a']
        : [...text('$trim', chars)],
    );
    const points = [...value];
    let start = 0;
    let end = points.length;
    if (side !== 'right') while (start < end && set.has(points[start] as string)) start++;
    if (side !== 'left') while (end > start && set.has(points[end - 1] as string)) end--;
    return points.slice(start, end).join('');
  });
}

function indexOf(name: string, split: (value: string) => readonly (string | number)[]): Operator {
  return between(2, 4, ([source, wanted, start, end]) => {
    if (isNullish(source)) return null;
    const whole = split(text(name, source));
    const part = split(text(name, wanted));
    const from = start === undefined ? 0 : toNumber(start);
    const to = Math.min(end === undefined ? whole.length : toNumber(end), whole.length);
    for (let index = from; index + part.length <= to; index++) {
      if (part.every((unit, offset) => whole[index + offset] === unit)) return index;
    }
    return -1;
  });
}

function substring(name: string, bytes: boolean): Operator {
  return fixed(3, ([source, start, count]) => {
    const value = isNullish(source) ? '' : toText(source);
    const from = toNumber(start);
    const length = toNumber(count);
    if (from < 0 && bytes) return '';
    if (from < 0) throw new DocDbError(34455, `${name}: the starting index must be non-negative integer.`);
    if (!bytes) return [...value].slice(from, from + length).join('');
    const buffer = Buffer.from(value);
    return buffer.subarray(from, length < 0 ? buffer.length : from + length).toString('utf8');
  });
}

function replace(all: boolean): Operator {
  return named(['input', 'find', 'replacement'], ([input, find, replacement]) => {
    if (isNullish(input) || isNullish(find) || isNullish(replacement)) return null;
    const [source, wanted, by] = [input, find, replacement].map((value) => text('$replace', value)) as [string, string, string];
    return all ? source.replaceAll(wanted, () => by) : source.replace(wanted, () => by);
  });
}

function regexOperator(name: string, of: (expression: RegExp, input: string) => Value, empty: Value): Operator {
  return named(['input', 'regex', 'options'], ([input, regex, options]) => {
    if (isNullish(regex) || isNullish(input)) return empty;
    const parts = regexParts(regex);
    if (!parts) throw new DocDbError(51105, `${name} needs 'regex' to be of type string or regex`);
    const flags = regex instanceof BSONRegExp && isNullish(options) ? parts.options : isNullish(options) ? '' : text(name, options);
    return of(toRegExp(parts.pattern, flags, 'g'), text(name, input));
  });
}

function matchResult(match: RegExpExecArray, input: string): Value {
  return {
    match: match[0],
    idx: [...input.slice(0, match.index)].length,
    captures: match.slice(1).map((part) => (part as string | undefined) ?? null),
  };
}

/** Operators on text. */
export const stringOperators: Readonly<Record<string, Operator>> = {
  $concat: between(0, Infinity, (args) => {
    if (args.some(isNullish)) return null;
    return args
      .map((value) => {
        if (typeof value !== 'string') throw new DocDbError(16702, `$concat only supports strings, not ${typeName(value)}`);
        return value;
      })
      .join('');
  }),
  $toLower: coerced((value) => value.toLowerCase()),
  $toUpper: coerced((value) => value.toUpperCase()),
  $split: fixed(2, ([value, separator]) => {
    if (isNullish(value) || isNullish(separator)) return null;
    if (separator === '') throw new DocDbError(40087, '$split requires a non-empty separator');
    if (typeof value !== 'string')
      throw new DocDbError(
        40085,
        `$split requires an expression that evaluates to a string as a first argument, found: ${typeName(value)}`,
      );
    return value.split(text('$split', separator));
  }),
  $trim: trim('both'),
  $ltrim: trim('left'),
  $rtrim: trim('right'),
  $strLenCP: fixed(1, ([value]) => [...text('$strLenCP', value)].length),
  $strLenBytes: fixed(1, ([value]) => Buffer.byteLength(text('$strLenBytes', value))),
  $strcasecmp: fixed(2, ([a, b]) =>
    Math.sign(compare((isNullish(a) ? '' : toText(a)).toUpperCase(), (isNullish(b) ? '' : toText(b)).toUpperCase())),
  ),
  $substr: substring('$substr', true),
  $substrBytes: substring('$substrBytes', true),
  $substrCP: substring('$substrCP', false),
  $indexOfCP: indexOf('$indexOfCP', (value) => [...value]),
  $indexOfBytes: indexOf('$indexOfBytes', (value) => [...Buffer.from(value)]),
  $replaceOne: replace(false),
  $replaceAll: replace(true),
  $regexMatch: regexOperator('$regexMatch', (expression, input) => expression.test(input), false),
  $regexFind: regexOperator(
    '$regexFind',
    (expression, input) => {
      const match = expression.exec(input);
      return match ? matchResult(match, input) : null;
    },
    null,
  ),
  $regexFindAll: regexOperator(
    '$regexFindAll',
    (expression, input) => [...input.matchAll(expression)].map((match) => matchResult(match, input)),
    [],
  ),
  $isNumber: fixed(1, ([value]) => isNumber(value)),
};

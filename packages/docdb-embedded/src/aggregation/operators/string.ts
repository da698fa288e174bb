import { compare } from '../../bson/compare.ts';
import { splitText } from '../../bson/find-part.ts';
import { bytesOf } from '../../bson/text.ts';
import { isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { spend } from '../../interrupt.ts';
import { between, fixed, isNullish, named } from './define.ts';
import { coercedText, textOf } from './text-argument.ts';

function coerced(of: (value: string) => Value): Operator {
  return fixed(1, ([value]) => of(coercedText(value)));
}

/** Only the letters of ASCII have two cases here. */
const lower = (value: string): string => value.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (value: string): string => value.replace(/[a-z]+/g, (part) => part.toUpperCase());

const WHITE_SPACE = [...'\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'];

function trim(name: string, side: 'both' | 'left' | 'right'): Operator {
  return named(
    ['input', 'chars'],
    ([input, chars], _collator, given) => {
      if (isNullish(input)) return null;
      textOf(input, 50699, name, "'input'");
      const without = given?.has('chars') === true;
      if (without && isNullish(chars)) return null;
      if (without) textOf(chars, 50700, name, "'chars'");
      const set = new Set(without ? [...(chars as string)] : WHITE_SPACE);
      const points = [...(input as string)];
      let start = 0;
      let end = points.length;
      if (side !== 'right') while (start < end && set.has(points[start] as string)) start++;
      if (side !== 'left') while (end > start && set.has(points[end - 1] as string)) end--;
      return points.slice(start, end).join('');
    },
    { shape: 50696, unknown: 50694, missing: { input: 50695 } },
  );
}

function replaced(source: string, find: string, by: string, all: boolean): string {
  if (find === '') return all ? source.replaceAll('', () => by) : by + source;
  const parts = splitText(source, find, all ? Infinity : 1);
  spend(source.length + (parts.length - 1) * by.length);
  return parts.join(by);
}

function replace(name: string, all: boolean): Operator {
  return named(
    ['input', 'find', 'replacement'],
    ([input, find, replacement]) => {
      if (!isNullish(input)) textOf(input, 10503904, name, "'input'");
      if (!isNullish(find)) textOf(find, 10503901, name, "'find'");
      if (!isNullish(replacement)) textOf(replacement, 10503902, name, "'replacement'");
      if (isNullish(input) || isNullish(find) || isNullish(replacement)) return null;
      return replaced(input as string, find as string, replacement as string, all);
    },
    { shape: 51751, unknown: 51750, missing: { input: 51749, find: 51748, replacement: 51747 } },
  );
}

function split([value, separator]: readonly Value[]): Value {
  if (isNullish(value) || isNullish(separator)) return null;
  const text = textOf(value, 40085, '$split', 'its first argument');
  const by = textOf(separator, 10503900, '$split', 'its second argument');
  if (by === '') throw new DocDbError(40087, '$split requires a non-empty separator');
  return splitText(text, by);
}

function concat(args: readonly Value[]): Value {
  let result = '';
  for (const value of args) {
    if (isNullish(value)) return null;
    if (typeof value !== 'string') throw new DocDbError(16702, `$concat only supports strings, not ${typeName(value)}`);
    result += value;
  }
  spend(result.length);
  return result;
}

/** Operators on text. */
export const stringOperators: Readonly<Record<string, Operator>> = {
  $concat: between(0, Infinity, concat),
  $toLower: coerced(lower),
  $toUpper: coerced(upper),
  $split: fixed(2, split),
  $trim: trim('$trim', 'both'),
  $ltrim: trim('$ltrim', 'left'),
  $rtrim: trim('$rtrim', 'right'),
  $strLenCP: fixed(1, ([value]) => [...textOf(value, 34471, '$strLenCP', 'its argument')].length),
  $strLenBytes: fixed(1, ([value]) => bytesOf(textOf(value, 34473, '$strLenBytes', 'its argument')).length),
  $strcasecmp: fixed(2, ([a, b]) => Math.sign(compare(upper(coercedText(a)), upper(coercedText(b))))),
  $replaceOne: replace('$replaceOne', false),
  $replaceAll: replace('$replaceAll', true),
  $isNumber: fixed(1, ([value]) => isNumber(value)),
};

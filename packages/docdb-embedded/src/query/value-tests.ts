import { toNumber } from '../bson/arithmetic.ts';
import { compare, equal, typeRank } from '../bson/compare.ts';
import { BSONRegExp, type Doc, FORMER_TYPES, isDocument, isNumber, TYPE_CODES, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import type { FilterContext, Predicate } from './matcher.ts';
import { geoIntersects, geoWithin } from '../geo/geo-tests.ts';
import { anyElement, asksForElement, type ValuesTest } from './element-tests.ts';
import { bitsTest, isNaNValue, modTest } from './number-tests.ts';
import { compileRegex, regexParts } from './regex.ts';
import { isTruthy } from './truthy.ts';
import { ValueSet } from './value-set.ts';

/** Compiles filters inside operators such as `$elemMatch`. */
export interface OperatorContext extends FilterContext {
  readonly filter: (filter: Doc, context: FilterContext) => Predicate;
}

/** @returns whether a document is a set of operators and not a value to compare with, as a whole reference to a document is */
export function hasOperators(condition: Doc): boolean {
  const [first] = Object.keys(condition);
  return first?.startsWith('$') === true && !(Object.hasOwn(condition, '$ref') && Object.hasOwn(condition, '$id'));
}

/** Any value itself passes; elements are not looked at. */
function anyValue(test: (value: Value) => boolean): ValuesTest {
  return { one: test, many: (values) => values.some(test), itself: test };
}

function not(test: ValuesTest): ValuesTest {
  const { one } = test;
  return { many: (values) => !test.many(values), one: one && ((value) => !one(value)), itself: (value) => !test.itself(value) };
}

/** The test of `{ field: value }`. */
export function equalityTest(wanted: Value, context: FilterContext): ValuesTest {
  if (wanted instanceof BSONRegExp) return anyElement(regexTest(wanted.pattern, wanted.options));
  if (wanted === null || wanted === undefined) return nullTest();
  return anyElement(equalsValue(wanted, context));
}

/** A path that leads nowhere at all, through an array without documents, is not null. */
function nullTest(): ValuesTest {
  return anyElement((value) => value === null || value === undefined);
}

function equalsValue(wanted: Value, { collator }: FilterContext): (value: Value) => boolean {
  if (typeof wanted === 'string' && !collator) return (value) => value === wanted || (typeof value === 'object' && equal(value, wanted));
  if (typeof wanted === 'number' && !Number.isNaN(wanted))
    return (value) => value === wanted || (typeof value !== 'number' && value !== null && isNumber(value) && equal(value, wanted));
  return (value) => value !== undefined && equal(value, wanted, collator);
}

/** A pattern also finds itself, where it is stored as a value. */
function regexTest(pattern: string, options: string): (value: Value) => boolean {
  const matches = compileRegex(pattern, options);
  const flags = [...options].sort().join('');
  return (value) => {
    if (typeof value === 'string') return matches(value);
    if (typeName(value) === 'symbol') return matches(String(value));
    return value instanceof BSONRegExp && value.pattern === pattern && value.options === flags;
  };
}

/** Compiles `{ $gt: 1, $lt: 5 }`: all operators must hold. */
export function compileOperators(condition: Doc, context: OperatorContext): ValuesTest {
  if ('$geoIntersects' in condition && ('$geoWithin' in condition || '$within' in condition || '$eq' in condition))
    throw badValue('a field is asked for by one operator of places');
  const tests = Object.keys(condition)
    .map((name) => operatorTest(name, condition[name], condition, context))
    .filter((test) => test !== undefined);
  const [first] = tests;
  if (tests.length === 1 && first) return first;
  const ones = tests.map((test) => test.one);
  return {
    many: (values) => tests.every((test) => test.many(values)),
    one: ones.every((one) => one !== undefined) ? (value): boolean => ones.every((one) => one(value)) : undefined,
    itself: (value) => tests.every((test) => test.itself(value)),
  };
}

type OperatorTest = (operand: Value, context: OperatorContext, condition: Doc) => ValuesTest | undefined;

const range =
  (name: string): OperatorTest =>
  (operand, context) =>
    rangeTest(name, operand, context);
const bits =
  (name: string): OperatorTest =>
  (operand) =>
    bitsTest(name, operand);

/** The operators of a query on the values of a field. */
export const queryOperators: Readonly<Record<string, OperatorTest>> = {
  $eq: (operand, context) =>
    operand instanceof BSONRegExp ? anyElement((value) => equal(value, operand)) : equalityTest(operand, context),
  $ne(operand, context) {
    if (operand instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
    return not(equalityTest(operand, context));
  },
  $gt: range('$gt'),
  $gte: range('$gte'),
  $lt: range('$lt'),
  $lte: range('$lte'),
  $in: (operand, context) => inTest('$in', operand, context),
  $nin: (operand, context) => not(inTest('$nin', operand, context)),
  $exists: (operand) => anyOrNone(isTruthy(operand)),
  $type: (operand) => typeTest(operand),
  $regex: (operand, _context, condition) => regexOperator(operand, condition),
  $options(_operand, _context, condition) {
    if (!('$regex' in condition)) throw badValue('$options needs a $regex');
    return undefined;
  },
  $not: (operand, context) => not(notOperand(operand, context)),
  $all: allTest,
  $elemMatch: elemMatchTest,
  $size: (operand) => sizeTest(operand),
  $mod: (operand) => modTest(operand),
  $bitsAllSet: bits('$bitsAllSet'),
  $bitsAnySet: bits('$bitsAnySet'),
  $bitsAllClear: bits('$bitsAllClear'),
  $bitsAnyClear: bits('$bitsAnyClear'),
  $geoWithin: within,
  $within: within,
  $geoIntersects: (operand) => wholeOrElement(geoIntersects(operand)),
  $near: nearInside,
  $nearSphere: nearInside,
  $geoNear: nearInside,
  $comment: () => undefined,
};

/** Places may be lists themselves: a list is looked at first, and then its elements. */
function wholeOrElement(test: (value: Value) => boolean): ValuesTest {
  const one = (value: Value): boolean => test(value) || (Array.isArray(value) && (value as Value[]).some(test));
  return { one, many: (values) => values.some(one), itself: test };
}

function within(operand: Value): ValuesTest {
  return wholeOrElement(geoWithin(operand));
}

function nearInside(): never {
  throw new DocDbError(5626500, '$geoNear, $near, and $nearSphere are not allowed in this context');
}

function operatorTest(name: string, operand: Value, condition: Doc, context: OperatorContext): ValuesTest | undefined {
  const test = Object.hasOwn(queryOperators, name) ? queryOperators[name] : undefined;
  if (!test) throw badValue(`unknown operator: ${name}`);
  return test(operand, context, condition);
}

function anyOrNone(wanted: boolean): ValuesTest {
  const exists = (values: readonly Value[]): boolean => values.some((value) => value !== undefined);
  const one = (value: Value): boolean => (value !== undefined) === wanted;
  return { many: (values) => exists(values) === wanted, one, itself: one };
}

/** Only values of the same type compare, except with the keys at the ends of the order. */
function rangeTest(name: string, operand: Value, { collator }: FilterContext): ValuesTest {
  if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate over field '${name}'.`);
  if (operand === undefined || operand === null) {
    return name === '$gte' || name === '$lte' ? nullTest() : anyElement(() => false);
  }
  const rank = typeRank(operand);
  const type = typeName(operand);
  const bound = type === 'minKey' || type === 'maxKey';
  const nan = isNaNValue(operand);
  const accept = ACCEPT[name] as (order: number) => boolean;
  return anyElement((value) => {
    if (typeof value === 'number' && typeof operand === 'number') {
      if (nan || Number.isNaN(value)) return Number.isNaN(value) && nan && accept(0);
      // Infinities have no difference.
      return accept(value === operand ? 0 : value - operand);
    }
    // What is missing lies between the ends of the order, as null does.
    if (value === undefined) return bound && accept(compare(null, operand));
    if (!bound && (typeRank(value) !== rank || nan !== isNaNValue(value))) return false;
    return accept(compare(value, operand, collator));
  });
}

const ACCEPT: Readonly<Record<string, (order: number) => boolean>> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

function inTest(name: string, operand: Value, context: FilterContext): ValuesTest {
  if (!Array.isArray(operand)) throw badValue(`${name} needs an array`);
  const list = operand as Value[];
  for (const entry of list) {
    if (isDocument(entry) && hasOperators(entry)) throw badValue(`cannot nest $ under ${name}`);
  }
  const regexes = list.filter((entry) => entry instanceof BSONRegExp).map((entry) => regexTest(entry.pattern, entry.options));
  const plain = list.filter((entry) => !(entry instanceof BSONRegExp));
  const hasNull = plain.some((entry) => entry === null || entry === undefined);
  const values = new ValueSet(plain, context.collator);
  return anyElement((value) => (value === undefined ? hasNull : values.has(value)) || regexes.some((test) => test(value)));
}

function typeTest(operand: Value): ValuesTest {
  const wanted = (Array.isArray(operand) ? (operand as Value[]) : [operand]).map(typeOperand);
  if (wanted.length === 0) throw failedToParse('$type must match at least one type');
  const matches = (value: Value): boolean => {
    const type = typeName(value);
    return wanted.some((name) => name === type || (name === 'number' && isNumber(value)));
  };
  return anyElement(matches);
}

const TYPE_NAMES: ReadonlySet<string> = new Set([...Object.values(TYPE_CODES), ...Object.values(FORMER_TYPES)]);

function typeOperand(operand: Value): string {
  if (typeof operand === 'string') {
    if (operand === 'number' || TYPE_NAMES.has(operand)) return operand;
    throw badValue(`Unknown type name alias: ${operand}`);
  }
  const type = isNumber(operand) ? (TYPE_CODES[String(operand)] ?? FORMER_TYPES[String(operand)]) : undefined;
  if (!type) throw badValue(`Invalid numerical type code: ${String(operand)}`);
  return type;
}

function regexOperator(operand: Value, condition: Doc): ValuesTest {
  const parts = regexParts(operand);
  if (!parts) throw badValue('$regex has to be a string');
  const { $options: options } = condition;
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  const names = Object.keys(condition);
  if (options !== undefined && parts.options !== '')
    throw new DocDbError(names.indexOf('$regex') < names.indexOf('$options') ? 51075 : 51074, 'options set in both $regex and $options');
  const flags = options ?? parts.options;
  if (parts.pattern.includes('\0')) throw badValue('a regular expression cannot contain an embedded null byte');
  return anyElement(regexTest(parts.pattern, flags));
}

function notOperand(operand: Value, context: OperatorContext): ValuesTest {
  if (operand instanceof BSONRegExp) return equalityTest(operand, context);
  if (!isDocument(operand)) throw badValue('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  if (!hasOperators(operand)) throw badValue(`unknown operator: ${String(Object.keys(operand)[0])}`);
  return compileOperators(operand, context);
}

function allTest(operand: Value, context: OperatorContext): ValuesTest {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  const list: readonly Value[] = operand;
  const [first] = list;
  const elements = isDocument(first) && '$elemMatch' in first;
  const tests = list.map((entry) => {
    if (!elements && isDocument(entry) && hasOperators(entry)) throw badValue('no $ expressions in $all');
    if (!elements) return equalityTest(entry, context);
    if (!isDocument(entry) || !('$elemMatch' in entry)) throw badValue('$all/$elemMatch has to be consistent');
    return elemMatchTest(entry.$elemMatch, context);
  });
  return {
    many: (values) => tests.length > 0 && tests.every((test) => test.many(values)),
    itself: (value) => tests.length > 0 && tests.every((test) => test.itself(value)),
  };
}

function elemMatchTest(operand: Value, context: OperatorContext): ValuesTest {
  if (!isDocument(operand)) throw badValue('$elemMatch needs an Object');
  const matches = elementPredicate(operand, context);
  return anyValue((value) => Array.isArray(value) && (value as Value[]).some(matches));
}

/** @returns the test of one array element by `$elemMatch`'s operand, for projections and array filters too */
export function elementPredicate(operand: Doc, context: OperatorContext): (element: Value) => boolean {
  if (asksForElement(operand)) {
    return compileOperators(operand, context).itself;
  }
  const predicate = context.filter(operand, {
    ...context,
    expression: () => {
      throw badValue('$expr can only be applied to the top-level document');
    },
  });
  return (element) => (isDocument(element) ? predicate(element) : Array.isArray(element) && predicate({ ...(element as Value[]) }));
}

function sizeTest(operand: Value): ValuesTest {
  const size = isNumber(operand) ? toNumber(operand) : Number.NaN;
  if (!Number.isInteger(size) || size < 0 || size > 2_147_483_647)
    throw badValue(`Failed to parse $size. Expected a non-negative integer number in: $size: ${String(operand)}`);
  return anyValue((value) => Array.isArray(value) && value.length === size);
}

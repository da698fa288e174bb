import { BadRequest } from '@framework/errors';
import { isPattern } from '../built-in.ts';
import { criteriaListOperators } from '../operators.ts';
import { isPlainObject } from '../plain-object.ts';
import { isList, ownValueOf, valuesAt, whole } from './paths.ts';
import { compareValues, isRecord, plainRecord, rankOf, type StoredRecord } from './values.ts';

/** Decides whether a record is meant, which is a plain object. */
export type Predicate = (record: StoredRecord) => boolean;

/** What {@link compileConditions} makes of no conditions. */
export const everyRecord = (): boolean => true;

/**
 * Looks at a pattern and its flags before it is used.
 *
 * @throws BadRequest (400) for those that are not taken
 */
export type PatternCheck = (pattern: unknown, flags: unknown) => void;

/** Decides about what a path leads to. */
interface Test {
  readonly many: (values: readonly unknown[]) => boolean;
  /** The same for exactly one value. */
  readonly one: (value: unknown) => boolean;
}

/**
 * Makes one function of the conditions of a checked query.
 *
 * @param check what their patterns have to pass: `checkPattern` where they came from outside; `undefined` for nothing
 * @throws BadRequest (400) for operands that mean nothing
 */
export function compileConditions(criteria: Readonly<Record<string, unknown>>, check: PatternCheck | undefined): Predicate {
  return all(Object.keys(criteria).map((name) => conditionOf(name, criteria[name], check)));
}

/** One function of several that all have to hold. They call each other, which costs less than going through a list; made by halves, never deep. */
function all<V>(tests: readonly ((value: V) => boolean)[]): (value: V) => boolean {
  const [first = everyRecord, second] = tests;
  if (second === undefined) return first;
  const middle = tests.length >> 1;
  const [left, right] = [all(tests.slice(0, middle)), all(tests.slice(middle))];
  return (value) => left(value) && right(value);
}

function conditionOf(name: string, condition: unknown, check: PatternCheck | undefined): Predicate {
  if (criteriaListOperators.has(name)) {
    const branches = listOf(condition).map((branch) => compileConditions(criteriaOf(branch), check));
    if (name === '$and') return (record) => branches.every((branch) => branch(record));
    const wanted = name === '$or';
    return (record) => branches.some((branch) => branch(record)) === wanted;
  }
  const { one, many } = testOf(condition, check);
  const path = name.split('.');
  const [first = '', ...rest] = path;
  const own = ownValueOf(first);
  if (rest.length === 0) return (record) => one(own(record));
  return (record) => {
    let value = own(record);
    for (const part of rest) {
      // Only lists lead to several values.
      if (Array.isArray(value)) return many(valuesAt(record, path));
      value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
    }
    return one(value);
  };
}

function testOf(condition: unknown, check: PatternCheck | undefined): Test {
  return hasOperators(condition) ? operatorsOf(condition, check) : equals(condition);
}

function hasOperators(condition: unknown): condition is Record<string, unknown> {
  return isPlainObject(condition) && Object.keys(condition)[0]?.startsWith('$') === true;
}

function operatorsOf(condition: Readonly<Record<string, unknown>>, check: PatternCheck | undefined): Test {
  const tests = Object.keys(condition)
    .filter((name) => name !== '$options')
    .map((name) => operatorOf(name, condition[name], condition, check));
  const [first, ...others] = tests;
  return first !== undefined && others.length === 0 ? first : every(tests);
}

function operatorOf(name: string, operand: unknown, condition: Readonly<Record<string, unknown>>, check: PatternCheck | undefined): Test {
  switch (name) {
    case '$eq':
      return equals(operand);
    case '$ne':
      return not(equals(operand));
    case '$in':
      return oneOf(listOf(operand));
    case '$nin':
      return not(oneOf(listOf(operand)));
    case '$gt':
      return inRange(operand, true, false);
    case '$gte':
      return inRange(operand, true, true);
    case '$lt':
      return inRange(operand, false, false);
    case '$lte':
      return inRange(operand, false, true);
    case '$exists':
      return isTrue(operand) ? some((value) => value !== undefined) : not(some((value) => value !== undefined));
    case '$not':
      return not(testOf(operand, check));
    case '$all': {
      const tests = listOf(operand).map((entry) => testOf(entry, check));
      return tests.length === 0 ? some(() => false) : every(tests);
    }
    case '$size':
      return some((value) => Array.isArray(value) && value.length === operand);
    case '$elemMatch': {
      const matches = elementOf(criteriaOf(operand), check);
      return some((value) => Array.isArray(value) && value.some(matches));
    }
    case '$regex':
      return matching(patternOf(operand, condition.$options, check));
    default:
      throw new BadRequest(`There is no operator ${name.slice(0, 100)}`);
  }
}

/** As the database has it, for which an empty text is something. */
function isTrue(operand: unknown): boolean {
  return operand !== false && operand !== 0 && operand !== null && operand !== undefined;
}

function elementOf(operand: Record<string, unknown>, check: PatternCheck | undefined): (element: unknown) => boolean {
  if (!hasOperators(operand) || criteriaListOperators.has(Object.keys(operand)[0] ?? '')) {
    const matches = compileConditions(operand, check);
    // A list has its places for names.
    return (element) => (Array.isArray(element) || isRecord(element)) && matches(plainRecord(element as StoredRecord));
  }
  const { one } = operatorsOf(operand, check);
  return (element) => one(whole(element));
}

function not({ one, many }: Test): Test {
  return { one: (value) => !one(value), many: (values) => !many(values) };
}

/** All of them, not necessarily by the same value. */
function every(tests: readonly Test[]): Test {
  return { one: all(tests.map(({ one }) => one)), many: all(tests.map(({ many }) => many)) };
}

/** Any value itself; elements of lists are not looked at. */
function some(one: (value: unknown) => boolean): Test {
  return { one, many: (values) => values.some(one) };
}

/** Any value, or any element of one that is a list. */
function anyElement(test: (value: unknown) => boolean): Test {
  return some((value) => test(value) || (isList(value) && value.some(test)));
}

function equals(wanted: unknown): Test {
  if (wanted === null || wanted === undefined) return anyElement((value) => value === null || value === undefined);
  if (isPattern(wanted)) return matching(wanted);
  // Nothing else equals a text or a boolean.
  if (typeof wanted === 'string' || typeof wanted === 'boolean') return anyElement((value) => value === wanted);
  return anyElement((value) => value === wanted || compareValues(value, wanted) === 0);
}

function oneOf(list: readonly unknown[]): Test {
  if (list.every((entry) => typeof entry === 'string')) {
    const texts = new Set<unknown>(list);
    return anyElement((value) => texts.has(value));
  }
  const patterns = list.filter(isPattern).map((entry) => matching(entry).one);
  // `sort` has undefined last, whatever the order says.
  const values = list.flatMap((entry) => (isPattern(entry) ? [] : [entry ?? null])).sort(compareValues);
  const found = anyElement((value) => isAmong(values, value)).one;
  return some((value) => found(value) || patterns.some((test) => test(value)));
}

/** @param sorted values in their order: a caller decides how many, and each record is held against them */
function isAmong(sorted: readonly unknown[], value: unknown): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareValues(sorted[middle], value);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/**
 * Only values of one type have an order.
 *
 * @param above whether values above the operand are meant, and not those below
 * @param orEqual whether the operand itself is meant too
 */
function inRange(operand: unknown, above: boolean, orEqual: boolean): Test {
  if (operand === null || operand === undefined) return orEqual ? equals(null) : some(() => false);
  const rank = rankOf(operand);
  const isNaN = Number.isNaN(operand);
  const accepts = (value: unknown): boolean => {
    if (rankOf(value) !== rank || Number.isNaN(value) !== isNaN) return false;
    const order = compareValues(value, operand);
    return order === 0 ? orEqual : order > 0 === above;
  };
  const others = anyElement(accepts);
  if (typeof operand !== 'number' || isNaN) return others;
  // Most are numbers beside a number.
  return some((value) => {
    if (typeof value !== 'number') return others.one(value);
    return value === operand ? orEqual : above ? value > operand : value < operand;
  });
}

function matching(pattern: RegExp): Test {
  return anyElement((value) => {
    if (typeof value !== 'string') return compareValues(value, pattern) === 0;
    pattern.lastIndex = 0;
    return pattern.test(value);
  });
}

/** @throws BadRequest (400) for what is no pattern, or does not pass the check */
function patternOf(pattern: unknown, options: unknown, check: PatternCheck | undefined): RegExp {
  // Code alone makes instances: a caller sends text.
  if (!isPattern(pattern)) check?.(pattern, options);
  try {
    if (isPattern(pattern))
      return new RegExp(pattern.source, typeof options === 'string' ? flagsOf(options, pattern.source) : pattern.flags);
    if (typeof pattern === 'string' && (options === undefined || typeof options === 'string'))
      return new RegExp(pattern, flagsOf(options ?? '', pattern));
  } catch {
    // Told below.
  }
  throw new BadRequest('$regex needs a valid pattern');
}

/** JavaScript has no `x`, which changes nothing where a pattern has neither spaces nor comments. */
function flagsOf(options: string, pattern: string): string {
  return /[\s#]/.test(pattern) ? options : options.replaceAll('x', '');
}

function listOf(operand: unknown): readonly unknown[] {
  if (Array.isArray(operand)) return operand;
  throw new BadRequest('The operand must be a list');
}

function criteriaOf(operand: unknown): Record<string, unknown> {
  if (isPlainObject(operand)) return operand;
  throw new BadRequest('The operand must be an object');
}

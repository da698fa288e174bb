import { toNumber } from '../bson/arithmetic.ts';
import type { Collator } from '../bson/collation.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { anyOf } from './any-of.ts';
import { compileSchema } from './json-schema.ts';
import { pathValues } from './path-values.ts';
import type { ValuesTest } from './element-tests.ts';
import { compileOperators, equalityTest, hasOperators } from './value-tests.ts';

/** Decides whether a document matches. */
export type Predicate = (doc: Doc) => boolean;

/** What a filter is compiled with. */
export interface FilterContext {
  /** Compares text. */
  readonly collator?: Collator | undefined;
  /** Compiles the aggregation expression of `$expr`. */
  readonly expression?: ((expression: Value) => (doc: Doc) => boolean) | undefined;
  /** What a search for words finds, where it is one of several branches. */
  readonly text?: Predicate | undefined;
}

/**
 * Compiles a filter into a predicate.
 *
 * @param filter the filter of a query
 * @throws DocDbError (2, 9, …) for what is no valid filter
 */
export function compileFilter(filter: Doc, context: FilterContext = {}): Predicate {
  const tests: Predicate[] = [];
  for (const name of Object.keys(filter)) {
    const test = name.startsWith('$') ? topLevel(name, filter[name], context) : field(name, filter[name], context);
    if (test) tests.push(test);
  }
  return all(tests);
}

function all(tests: readonly Predicate[]): Predicate {
  const [first, second] = tests;
  if (!first) return () => true;
  if (!second) return first;
  if (tests.length === 2) return (doc) => first(doc) && second(doc);
  return (doc) => tests.every((test) => test(doc));
}

/** The operators that stand where a field does. */
export const logicalOperators: readonly string[] = ['$and', '$or', '$nor', '$expr', '$comment', '$jsonSchema', '$sampleRate', '$text'];

function topLevel(name: string, operand: Value, context: FilterContext): Predicate | undefined {
  switch (name) {
    case '$and':
      return all(branches(name, operand, context));
    case '$or': {
      if (!context.text && Array.isArray(operand) && operand.some((branch) => isDocument(branch) && '$text' in branch))
        throw new DocDbError(291, 'Failed to produce a solution for TEXT under OR: other branches of it would read all documents');
      const tests = branches(name, operand, context);
      return anyOf(operand as Doc[], tests, context.collator);
    }
    case '$nor': {
      const tests = branches(name, operand, context);
      const any = anyOf(operand as Doc[], tests, context.collator);
      return (doc) => !any(doc);
    }
    case '$expr':
      if (!context.expression) throw new DocDbError(224, '$expr is not allowed in this context');
      return context.expression(operand);
    case '$comment':
      return undefined;
    case '$jsonSchema':
      if (!isDocument(operand)) throw new DocDbError(14, '$jsonSchema must be an object');
      return compileSchema(operand);
    case '$alwaysTrue':
    case '$alwaysFalse':
      if (!isNumber(operand) || toNumber(operand) !== 1) throw new DocDbError(9, `${name} must be an integer value of 1`);
      return () => name === '$alwaysTrue';
    case '$sampleRate':
      return sampleTest(operand);
    case '$ref':
    case '$db':
      return field(name, { $eq: operand }, { ...context, collator: undefined });
    case '$id':
      return field(name, { $eq: operand }, context);
    case '$where':
      throw new DocDbError(2, '$where is not supported by this database: it would run code of the caller');
    case '$text':
      if (context.text) return context.text;
      throw new DocDbError(2, '$text is only allowed at the top level of a find filter or of the first $match');
    default:
      throw badValue(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

/** @throws DocDbError (2) for a rate that is none */
function sampleTest(operand: Value): Predicate {
  const rate = isNumber(operand) ? toNumber(operand) : Number.NaN;
  if (!(rate >= 0 && rate <= 1)) throw badValue('numeric argument to $sampleRate must be in [0, 1]');
  return () => Math.random() < rate;
}

function branches(name: string, operand: Value, context: FilterContext): Predicate[] {
  if (!Array.isArray(operand) || operand.length === 0) throw badValue(`${name} argument must be a non-empty array`);
  return (operand as Value[]).map((branch) => {
    if (!isDocument(branch)) throw badValue(`${name} argument's entries must be objects`);
    return compileFilter(branch, context);
  });
}

function field(name: string, condition: Value, context: FilterContext): Predicate {
  const path = name.split('.');
  const test: ValuesTest =
    isDocument(condition) && hasOperators(condition)
      ? compileOperators(condition, { ...context, filter: compileFilter })
      : equalityTest(condition, context);
  if (path.length === 1 && test.one) return singleField(name, test.one);
  return (doc) => test.many(pathValues(doc, path));
}

function singleField(name: string, one: (value: Value) => boolean): Predicate {
  return (doc) => one(Object.hasOwn(doc, name) ? doc[name] : undefined);
}

/**
 * @returns the text search of a filter, taken out of it: one that all of its documents have to pass
 * @throws DocDbError (2) for more than one
 */
export function splitText(filter: Doc): { readonly text: Doc | undefined; readonly rest: Doc } {
  const { $text: own, ...others } = filter;
  if ('$text' in filter && !isDocument(own)) throw badValue('$text expects an object');
  let text = isDocument(own) ? own : undefined;
  let rest = text ? others : filter;
  for (const name of ['$and', '$or']) {
    const list = rest[name];
    if (!Array.isArray(list) || (name === '$or' && list.length !== 1)) continue;
    const parts = list.map((entry: Value) => (isDocument(entry) ? splitText(entry) : { text: undefined, rest: entry }));
    for (const part of parts) {
      if (part.text && text) throw badValue('Too many text expressions');
      text ??= part.text;
    }
    if (parts.some((part) => part.text)) rest = { ...rest, [name]: parts.map((part) => part.rest) };
  }
  return { text, rest };
}

import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { checkPercentile, percentilePlaces, percentilesOf } from './percentile.ts';
import { checkSortKeys, compareAll, parseSort, sortKeysOf } from '../query/sort.ts';
import { uniqueValues } from '../query/value-set.ts';
import { put } from '../bson/fields.ts';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { isConstant } from './constant.ts';
import { countOf } from './count-of.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from './expression.ts';
import { extreme } from './operators/array.ts';
import { isNullish } from './operators/define.ts';
import { sortedMeta } from './metadata.ts';
import { readsNoField } from './needed-fields.ts';
import { operators } from './operators.ts';
import { averageOf, deviation, sumOf } from './statistics.ts';

/** Works out one field of a group from the group's documents; `key` is the group's `_id` where that is a document. */
export type Accumulate = (envs: readonly Env[], key?: Doc) => Value;

type Finish = (values: Value[], collator: Collator | undefined) => Value;

const nullish = (value: Value): Value => value ?? null;

/** The elements of lists; what is missing has none. */
function lists(name: string, values: readonly Value[]): Value[] {
  const all: Value[] = [];
  for (const value of values) {
    if (value === undefined) continue;
    if (!Array.isArray(value)) throw new DocDbError(14, `${name} requires array inputs, but input is of type ${typeName(value)}`);
    for (const entry of value as Value[]) all.push(entry);
  }
  return all;
}

const SIMPLE: Readonly<Record<string, Finish>> = {
  $sum: sumOf,
  $avg: averageOf,
  $min: (values, collator) => extreme(values, -1, collator),
  $max: (values, collator) => extreme(values, 1, collator),
  $first: (values) => nullish(values[0]),
  $last: (values) => nullish(values.at(-1)),
  $push: (values) => values.filter((value) => value !== undefined),
  $addToSet: (values, collator) =>
    uniqueValues(
      values.filter((value) => value !== undefined),
      collator,
    ),
  $stdDevPop: (values) => deviation(values, false),
  $stdDevSamp: (values) => deviation(values, true),
  $setUnion: (values, collator) => uniqueValues(lists('$setUnion', values), collator),
  $concatArrays: (values) => lists('$concatArrays', values),
  $mergeObjects: (values) => {
    let merged: Doc = {};
    for (const value of values) {
      if (value === undefined || value === null) continue;
      if (!isDocument(value)) throw new DocDbError(5911200, '$mergeObjects requires object inputs');
      for (const name of Object.keys(value)) merged = put(merged, name, value[name]);
    }
    return merged;
  },
};

const N_FORMS: Readonly<Record<string, (values: Value[], n: number, collator: Collator | undefined) => Value[]>> = {
  $firstN: (values, n) => values.slice(0, n).map(nullish),
  $lastN: (values, n) => values.slice(-n).map(nullish),
  $minN: (values, n, collator) =>
    present(values)
      .sort((a, b) => compare(a, b, collator))
      .slice(0, n),
  $maxN: (values, n, collator) =>
    present(values)
      .sort((a, b) => compare(b, a, collator))
      .slice(0, n),
};

function present(values: readonly Value[]): Value[] {
  return values.filter((value) => !isNullish(value));
}

const OTHERS: ReadonlySet<string> = new Set(['$count', '$median', '$percentile']);

/** Names of all accumulators. */
export function accumulatorNames(): string[] {
  return [...Object.keys(SIMPLE), ...Object.keys(N_FORMS), ...Object.keys(TOP_FORMS), ...OTHERS];
}

/** @returns whether there is an accumulator of this name */
export function isAccumulator(name: string): boolean {
  return name in SIMPLE || name in N_FORMS || name in TOP_FORMS || OTHERS.has(name);
}

/**
 * Compiles `{ $sum: '$price' }`.
 *
 * @throws DocDbError (40234, 15952, …) for what is no accumulator
 */
export function compileAccumulator(field: string, spec: Value, scope: ExpressionScope): Accumulate {
  if (!isDocument(spec)) throw new DocDbError(40234, `The field '${field}' must be an accumulator object`);
  const names = Object.keys(spec);
  const [name = ''] = names;
  if (!name.startsWith('$')) throw new DocDbError(40234, `The field '${field}' must be an accumulator object`);
  if (names.length !== 1) throw new DocDbError(40238, `The field '${field}' must specify one accumulator`);
  const operand = spec[name];
  if (name === '$count') {
    if (Array.isArray(operand)) throw new DocDbError(40237, 'The $count accumulator is a unary operator');
    if (!isDocument(operand) || Object.keys(operand).length > 0) throw new DocDbError(14, '$count takes no arguments, i.e. $count:{}');
    return (envs) => envs.length;
  }
  const simple = Object.hasOwn(SIMPLE, name) ? SIMPLE[name] : undefined;
  if (simple) {
    if (Array.isArray(operand)) throw new DocDbError(40237, `The ${name} accumulator is a unary operator`);
    const evaluate = compileExpression(operand, scope);
    return (envs) => simple(envs.map(evaluate), scope.collator);
  }
  const nForm = Object.hasOwn(N_FORMS, name) ? N_FORMS[name] : undefined;
  if (name === '$median' || name === '$percentile') return percentile(name, operand, scope);
  if (nForm) {
    checkN(name, operand);
    const input = compileExpression(operand.input, scope);
    const n = compileExpression(operand.n, scope);
    return (envs, key) => nForm(envs.map(input), count(n, envs, key), scope.collator);
  }
  const top = Object.hasOwn(TOP_FORMS, name) ? TOP_FORMS[name] : undefined;
  if (top) return topForm(name, top, operand, scope);
  if (Array.isArray(operand) && Object.hasOwn(operators, name)) throw new DocDbError(40237, `The ${name} accumulator is a unary operator`);
  throw new DocDbError(15952, `unknown group operator '${name}'`);
}

/** @throws DocDbError (5787801, 5787900, 5787901, 5787906, 5787907) for what is no operand of `$firstN` and its kin */
function checkN(name: string, operand: Value): asserts operand is Doc {
  if (!isDocument(operand))
    throw new DocDbError(
      name === '$firstN' || name === '$lastN' ? 5787801 : 5787900,
      `specification must be an object; found ${name}: ${typeName(operand)}`,
    );
  for (const field of Object.keys(operand))
    if (field !== 'n' && field !== 'input') throw new DocDbError(5787901, `Unknown argument for 'n' operator: ${field}`);
  if (!('n' in operand)) throw new DocDbError(5787906, "Missing value for 'n'");
  if (!('input' in operand)) throw new DocDbError(5787907, "Missing value for 'input'");
}

/** @throws DocDbError (5787903, 7548606) for what counts no documents; (31109) for what 64 bits do not hold */
function count(n: Evaluate, envs: readonly Env[], key: Doc = {}): number {
  return countOf(n({ root: key, vars: envs[0]?.vars ?? {} }), 7548606, 7548606);
}

/**
 * What a window takes of its documents is one number for all of them.
 *
 * @throws DocDbError (5787902, 5787903, 5787908) for an accumulator whose `n` is of a document, or counts none
 */
export function checkWindowCount(operand: Value, scope: ExpressionScope): void {
  if (!isDocument(operand) || !('n' in operand)) return;
  const n = compileExpression(operand.n, scope);
  if (isConstant(n) || !readsNoField(operand.n)) countOf(n({ root: {}, vars: {} }), 5787902, 5787908);
}

function percentile(name: string, operand: Value, scope: ExpressionScope): Accumulate {
  if (!isDocument(operand))
    throw new DocDbError(name === '$median' ? 7436100 : 7429703, `specification must be an object; found ${typeName(operand)}`);
  checkPercentile(name, operand);
  const places = name === '$median' ? [0.5] : percentilePlaces(compileExpression(operand.p, scope)({ root: {}, vars: {} }));
  const input = compileExpression(operand.input, scope);
  return (envs) => {
    const found = percentilesOf(envs.map(input), places);
    return name === '$median' ? found[0] : found;
  };
}

const TOP_FORMS: Readonly<Record<string, { readonly last: boolean; readonly many: boolean }>> = {
  $top: { last: false, many: false },
  $bottom: { last: true, many: false },
  $topN: { last: false, many: true },
  $bottomN: { last: true, many: true },
};

function topForm(
  name: string,
  form: { readonly last: boolean; readonly many: boolean },
  operand: Value,
  scope: ExpressionScope,
): Accumulate {
  if (!isDocument(operand)) throw new DocDbError(5788001, `specification must be an object; found ${name}: ${typeName(operand)}`);
  for (const field of Object.keys(operand))
    if (!['output', 'sortBy', ...(form.many ? ['n'] : [])].includes(field))
      throw new DocDbError(5788002, `Unknown argument to ${name} '${field}'`);
  if (form.many && !('n' in operand)) throw new DocDbError(5788003, "Missing value for 'n'");
  if (!('output' in operand)) throw new DocDbError(5788004, "Missing value for 'output'");
  if (!isDocument(operand.sortBy)) throw new DocDbError('sortBy' in operand ? 10065 : 5788005, "Missing or invalid value for 'sortBy'");
  checkSortKeys(operand.sortBy);
  const output = compileExpression(operand.output, scope);
  const n = form.many ? compileExpression(operand.n, scope) : (): Value => 1;
  const take = ranked(form.last, operand.sortBy, scope);
  return (envs, key) => {
    const chosen = take(envs, count(n, envs, key)).map((env) => output(env) ?? null);
    return form.many ? chosen : (chosen[0] ?? null);
  };
}

/** Takes some documents of a group. */
type Take = (envs: readonly Env[], most: number) => readonly Env[];

function ranked(last: boolean, sortBy: Doc, { collator }: ExpressionScope): Take {
  const keys = parseSort(sortBy);
  return (envs, most) => {
    const rows = envs.map((env) => ({ env, keys: sortKeysOf(isDocument(env.root) ? env.root : {}, keys, collator, sortedMeta) }));
    rows.sort((a, b) => compareAll(a.keys, b.keys, keys, collator));
    return (last ? rows.slice(-most) : rows.slice(0, most)).map(({ env }) => env);
  };
}

function extremes(input: Evaluate, sign: 1 | -1, { collator }: ExpressionScope): Take {
  return (envs, most) => {
    const rows = envs.map((env) => ({ env, value: input(env) })).filter(({ value }) => !isNullish(value));
    rows.sort((a, b) => sign * compare(a.value, b.value, collator));
    return rows.slice(0, most).map(({ env }) => env);
  };
}

/**
 * What an accumulator takes of documents, of which those that follow it may be more: what it takes stands for all of them.
 *
 * @param operand one that {@link compileAccumulator} has checked
 * @returns `undefined` for an accumulator that needs all documents, and where their number is that of a group
 */
export function documentsTaken(
  name: string,
  operand: Value,
  scope: ExpressionScope,
): ((envs: readonly Env[]) => readonly Env[]) | undefined {
  if (!isDocument(operand) || ('n' in operand && !readsNoField(operand.n))) return undefined;
  const n = 'n' in operand ? compileExpression(operand.n, scope) : (): Value => 1;
  const take = takeOf(name, operand, scope);
  return take && ((envs) => take(envs, count(n, envs)));
}

function takeOf(name: string, operand: Doc, scope: ExpressionScope): Take | undefined {
  const top = Object.hasOwn(TOP_FORMS, name) ? TOP_FORMS[name] : undefined;
  if (top) return ranked(top.last, operand.sortBy as Doc, scope);
  if (name === '$firstN') return (envs, most) => envs.slice(0, most);
  if (name === '$lastN') return (envs, most) => envs.slice(-most);
  if (name === '$minN' || name === '$maxN') return extremes(compileExpression(operand.input, scope), name === '$minN' ? 1 : -1, scope);
  return undefined;
}

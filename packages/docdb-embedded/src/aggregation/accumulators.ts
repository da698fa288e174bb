import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { hashKey } from '../bson/hash-key.ts';
import { type Doc, isDocument, setOwn, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from './expression.ts';
import { averageOf, deviation, extreme, sumOf } from './operators/array.ts';

/** Works out one field of a group from the group's documents. */
export type Accumulate = (envs: readonly Env[]) => Value;

type Finish = (values: Value[], collator: Collator | undefined) => Value;

const nullish = (value: Value): Value => value ?? null;

function unique(values: readonly Value[]): Value[] {
  const seen = new Map<string, Value>();
  for (const value of values) if (value !== undefined && !seen.has(hashKey(value))) seen.set(hashKey(value), value);
  return [...seen.values()];
}

const SIMPLE: Readonly<Record<string, Finish>> = {
  $sum: sumOf,
  $avg: averageOf,
  $min: (values, collator) => extreme(values, -1, collator),
  $max: (values, collator) => extreme(values, 1, collator),
  $first: (values) => nullish(values[0]),
  $last: (values) => nullish(values.at(-1)),
  $push: (values) => values.filter((value) => value !== undefined),
  $addToSet: unique,
  $stdDevPop: (values) => deviation(values, false),
  $stdDevSamp: (values) => deviation(values, true),
  $mergeObjects: (values) => {
    const merged: Doc = {};
    for (const value of values) {
      if (value === undefined || value === null) continue;
      if (!isDocument(value)) throw new DocDbError(40400, '$mergeObjects requires object inputs');
      for (const name of Object.keys(value)) setOwn(merged, name, value[name]);
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
  return values.filter((value) => value !== undefined && value !== null);
}

/** @returns whether there is an accumulator of this name */
export function isAccumulator(name: string): boolean {
  return name in SIMPLE || name in N_FORMS || name in TOP_FORMS || name === '$count';
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
  if (names.length !== 1) throw new DocDbError(40238, `The field '${field}' must specify one accumulator`);
  const operand = spec[name];
  if (name === '$count') return (envs) => envs.length;
  const simple = Object.hasOwn(SIMPLE, name) ? SIMPLE[name] : undefined;
  if (simple) {
    const evaluate = compileExpression(operand, scope);
    return (envs) => simple(envs.map(evaluate), scope.collator);
  }
  const nForm = Object.hasOwn(N_FORMS, name) ? N_FORMS[name] : undefined;
  if (nForm && isDocument(operand)) {
    const input = compileExpression(operand.input, scope);
    const n = compileExpression(operand.n, scope);
    return (envs) => nForm(envs.map(input), count(n, envs), scope.collator);
  }
  const top = Object.hasOwn(TOP_FORMS, name) ? TOP_FORMS[name] : undefined;
  if (top && isDocument(operand)) return topForm(top, operand, scope);
  throw new DocDbError(15952, `unknown group operator '${name}'`);
}

function count(n: Evaluate, envs: readonly Env[]): number {
  return Number(String(n(envs[0] ?? { root: {}, vars: {} })));
}

const TOP_FORMS: Readonly<Record<string, { readonly last: boolean; readonly many: boolean }>> = {
  $top: { last: false, many: false },
  $bottom: { last: true, many: false },
  $topN: { last: false, many: true },
  $bottomN: { last: true, many: true },
};

function topForm(form: { readonly last: boolean; readonly many: boolean }, operand: Doc, scope: ExpressionScope): Accumulate {
  const output = compileExpression(operand.output, scope);
  const sortBy = (operand.sortBy ?? {}) as Doc;
  const keys = Object.keys(sortBy).map((name) => [compileExpression(`$${name}`, scope), Number(String(sortBy[name]))] as const);
  const n = form.many ? compileExpression(operand.n, scope) : (): Value => 1;
  return (envs) => {
    const sorted = [...envs].sort((a, b) => {
      for (const [key, direction] of keys) {
        const order = compare(key(a) ?? null, key(b) ?? null, scope.collator) * direction;
        if (order !== 0) return order;
      }
      return 0;
    });
    const most = count(n, envs);
    const chosen = (form.last ? sorted.slice(-most) : sorted.slice(0, most)).map((env) => output(env) ?? null);
    return form.many ? chosen : (chosen[0] ?? null);
  };
}

import { Summation } from '../bson/summation.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError, ZeroDivision } from '../errors.ts';
import { roughSize } from '../spill/rough-size.ts';
import { type Accumulate, compileAccumulator, documentsTaken } from './accumulators.ts';
import { compileExpression, type Env, type ExpressionScope } from './expression.ts';

/** What is known of one field of a group: values that can be written to the disk. */
export type FieldState = Value[];

/** One field of a group, worked out while documents come. */
export interface GroupField {
  readonly name: string;
  /** @returns by how many bytes the state has grown */
  add(state: FieldState, env: Env): number;
  /**
   * Takes over what another state of the same field knows, of documents that came later.
   *
   * @returns by how many bytes the state has grown
   */
  merge(state: FieldState, later: FieldState): number;
  /** @param key the group's `_id`, where that is a document */
  finish(state: FieldState, key?: Doc): Value;
}

/** Values that are kept before they are made into one. */
const KEPT = 32;

/** Of these many values can stand for all before them; the others need each. */
const SHORT: ReadonlySet<string> = new Set(['$min', '$max', '$first', '$last', '$addToSet', '$mergeObjects']);
/** These are worked out of a sum. */
const SUMS: ReadonlySet<string> = new Set(['$sum', '$avg']);
/** These look at a value of each document, and not at documents. */
const LONG: ReadonlySet<string> = new Set(['$push', '$stdDevPop', '$stdDevSamp']);
/** Of these a missing value is one, as null. */
const MISSING_COUNTS: ReadonlySet<string> = new Set(['$first', '$last']);

/**
 * Compiles the fields of a `$group`.
 *
 * @throws DocDbError (40235, 40234, 15952, …) for what is no accumulator
 */
export function compileGroupFields(operand: Doc, scope: ExpressionScope): GroupField[] {
  return Object.keys(operand)
    .filter((name) => name !== '_id')
    .map((name) => {
      if (name.startsWith('$')) throw new DocDbError(40236, `The field name '${name}' cannot be an operator name`);
      if (name.includes('.')) throw new DocDbError(40235, `The field name '${name}' cannot contain '.'`);
      const given = operand[name];
      const accumulate = compileAccumulator(name, given, scope);
      const [operator = ''] = Object.keys(given as Doc);
      // A count is a sum of ones.
      if (operator === '$count') return compileField(name, '$sum', 1, scope);
      if (SHORT.has(operator) || LONG.has(operator) || SUMS.has(operator))
        return compileField(name, operator, (given as Doc)[operator], scope);
      if (operator === '$median' || operator === '$percentile') return numbersField(name, operator, (given as Doc)[operator] as Doc, scope);
      return wholeField(name, accumulate, documentsTaken(operator, (given as Doc)[operator], scope));
    });
}

function compileField(name: string, operator: string, operand: Value, scope: ExpressionScope): GroupField {
  const evaluate = compileExpression(operand, scope);
  const fold = (of: string): ((values: readonly Value[]) => Value) => {
    const accumulate = compileAccumulator(name, { [of]: '$v' }, scope);
    return (values) => accumulate(values.map((v): Env => ({ root: { v }, vars: {} })));
  };
  const missing = MISSING_COUNTS.has(operator) ? null : undefined;
  const valueOf = (env: Env): Value => {
    const value = evaluate(env);
    return value === undefined ? missing : value;
  };
  if (SUMS.has(operator)) return summedField(name, valueOf, operator === '$avg');
  return foldedField(name, valueOf, fold(operator), operator);
}

/** Of what is no number nothing is kept, and of others the number alone. */
function numbersField(name: string, operator: string, operand: Doc, scope: ExpressionScope): GroupField {
  const evaluate = compileExpression(operand.input, scope);
  const valueOf = (env: Env): Value => {
    const value = evaluate(env);
    return isNumber(value) ? toNumber(value) : undefined;
  };
  const accumulate = compileAccumulator(name, { [operator]: { ...operand, input: '$v' } }, scope);
  return foldedField(name, valueOf, (values) => accumulate(values.map((v): Env => ({ root: { v }, vars: {} }))), operator);
}

/** Tells when states have grown so much that it is worth to shorten them: to twice what was left the last time, or to more. */
class Growth {
  readonly #limits = new WeakMap<FieldState, number>();

  isLong(state: FieldState): boolean {
    return state.length >= (this.#limits.get(state) ?? KEPT);
  }

  /** @param least values below which it is not worth it */
  shortened(state: FieldState, least = KEPT): void {
    this.#limits.set(state, Math.max(KEPT, least, 2 * state.length));
  }
}

function foldedField(name: string, valueOf: (env: Env) => Value, fold: (values: readonly Value[]) => Value, operator: string): GroupField {
  const growth = new Growth();
  const isShort = SHORT.has(operator);
  const shorten = (state: FieldState): number => {
    const before = roughSize(state);
    const folded = fold(state);
    state.length = 0;
    if (operator === '$addToSet') for (const value of folded as Value[]) state.push(value);
    else state.push(folded);
    // As many documents are merged into one as that has fields.
    growth.shortened(state, operator === '$mergeObjects' && isDocument(folded) ? Object.keys(folded).length : KEPT);
    return roughSize(state) - before;
  };
  return {
    name,
    add(state, env) {
      const value = valueOf(env);
      if (value === undefined) return 0;
      state.push(value);
      return roughSize(value) + (isShort && growth.isLong(state) ? shorten(state) : 0);
    },
    merge(state, later) {
      for (const value of later) state.push(value);
      return roughSize(later) + (isShort && growth.isLong(state) ? shorten(state) : 0);
    },
    finish: fold,
  };
}

/** The state is that of the sum so far, and the numbers that came later. */
function summedField(name: string, valueOf: (env: Env) => Value, mean: boolean): GroupField {
  const sumOf = ([before, ...later]: FieldState): Summation => {
    const sum = Array.isArray(before) ? Summation.from(before) : new Summation();
    for (const value of later) if (isNumber(value)) sum.add(value, mean);
    return sum;
  };
  return {
    name,
    add(state, env) {
      const value = valueOf(env);
      if (!isNumber(value)) return 0;
      if (state.length === 0) state.push(null);
      state.push(value);
      if (state.length > KEPT) state.splice(0, state.length, sumOf(state).state());
      return 0;
    },
    merge(state, later) {
      const sum = sumOf(state);
      sum.addAll(sumOf(later));
      state.splice(0, state.length, sum.state());
      return 0;
    },
    finish: (state) => (mean ? sumOf(state).mean() : sumOf(state).total()),
  };
}

/** Does work of a group. @throws DocDbError (4848401, 4848403) for a division by zero */
export function inGroup<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ZeroDivision) throw new DocDbError(error.codeInGroup, error.message);
    throw error;
  }
}

/**
 * What needs the documents themselves keeps them.
 *
 * @param taken the documents that stand for all, where few do
 */
function wholeField(name: string, accumulate: Accumulate, taken: ((envs: readonly Env[]) => readonly Env[]) | undefined): GroupField {
  const growth = new Growth();
  const shorten = (state: FieldState): number => {
    if (!taken || !growth.isLong(state)) return 0;
    const before = roughSize(state);
    const left = inGroup(() => taken(state.map(envOf)));
    state.length = 0;
    for (const env of left) state.push(keptEnv(env));
    growth.shortened(state);
    return roughSize(state) - before;
  };
  return {
    name,
    add(state, env) {
      const kept = keptEnv(env);
      state.push(kept);
      return roughSize(kept) + shorten(state);
    },
    merge(state, later) {
      for (const env of later) state.push(env);
      return roughSize(later) + shorten(state);
    },
    finish: (state, key) => inGroup(() => accumulate(state.map(envOf), key)),
  };
}

function keptEnv({ root, vars }: Env): Doc {
  return Object.keys(vars).length === 0 ? { root } : { root, vars };
}

function envOf(kept: Value): Env {
  const { root, vars } = kept as Doc;
  return { root, vars: isDocument(vars) ? vars : {} };
}

import { type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { Summation } from '../../bson/summation.ts';
import { type Doc, isNumber, type Value } from '../../bson/values.ts';
import { pause } from '../../interrupt.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from '../expression.ts';
import { compileGroupFields } from '../group-fields.ts';
import { extreme } from '../operators/array.ts';
import { RunningDeviation } from '../statistics.ts';
import { forEach, type InTurns } from './in-turns.ts';
import type { Bounds } from './window-bounds.ts';

/** What is known of the documents that a window has taken in. */
interface Running {
  add(env: Env): void;
  result(): Value;
}

/** Sums of numbers that reach further may be infinite in one order and not in another. */
const LARGEST = 1e308;

/** Of these few values stand for all that came before. */
const FOLDED: ReadonlySet<string> = new Set(['$sum', '$avg', '$count', '$min', '$max', '$first', '$last', '$addToSet', '$mergeObjects']);

/** @returns what takes documents in one after the other; `undefined` where all of them are needed for each result */
export function runningForward(name: string, operand: Value, scope: ExpressionScope): (() => Running) | undefined {
  if (name === '$stdDevPop' || name === '$stdDevSamp') {
    const evaluate = compileExpression(operand, scope);
    return () => new RunningStatistic(evaluate, new RunningDeviation(name === '$stdDevSamp'));
  }
  const [field] = FOLDED.has(name) ? compileGroupFields({ output: { [name]: operand } }, scope) : [];
  if (!field) return undefined;
  return () => {
    const state: Value[] = [];
    return { add: (env) => field.add(state, env), result: () => field.finish(state) };
  };
}

class RunningStatistic implements Running {
  readonly #evaluate: Evaluate;
  readonly #deviation: RunningDeviation;

  constructor(evaluate: Evaluate, deviation: RunningDeviation) {
    this.#evaluate = evaluate;
    this.#deviation = deviation;
  }

  add(env: Env): void {
    this.#deviation.add(this.#evaluate(env));
  }

  result(): Value {
    return this.#deviation.result();
  }
}

/** @returns what takes documents in from the last one to the first, for what does not depend on the order */
export function runningBackward(name: string, operand: Value, scope: ExpressionScope): (() => Running) | undefined {
  const evaluate = compileExpression(name === '$count' ? 1 : operand, scope);
  if (name === '$min' || name === '$max') {
    const direction = name === '$max' ? 1 : -1;
    return () => {
      let best: Value = null;
      // Of equal values the first one of the partition counts.
      return { add: (env) => (best = extreme([evaluate(env), best], direction, scope.collator)), result: () => best };
    };
  }
  if (name !== '$sum' && name !== '$count' && name !== '$avg') return undefined;
  const mean = name === '$avg';
  return () => {
    const sum = new Summation();
    const values: Numeric[] = [];
    let reach = 0;
    const inOrder = (): Summation => {
      const forward = new Summation();
      for (const value of values.toReversed()) forward.add(value, mean);
      pause();
      return forward;
    };
    return {
      add(env) {
        const value = evaluate(env);
        if (!isNumber(value)) return;
        sum.add(value, mean);
        values.push(value);
        const size = Math.abs(toNumber(value));
        if (size < Infinity) reach += size;
      },
      result() {
        const total = reach < LARGEST ? sum : inOrder();
        return mean ? total.mean() : total.total();
      },
    };
  };
}

/** Windows that begin where the partition does: each takes in what it has more than the one before. */
export function growing(envs: readonly Env[], sortValues: readonly Value[], bounds: Bounds, running: Running): InTurns<Value[]> {
  let next = 0;
  let result = running.result();
  return forEach(envs, (_env, index) => {
    const [, to] = bounds(index, sortValues);
    if (to < next) return result;
    for (; next <= to; next++) running.add(envs[next] as Env);
    pause();
    result = running.result();
    return result;
  });
}

/** Windows that end where the partition does: each takes in what it has more than the one behind. */
export function* shrinking(envs: readonly Env[], sortValues: readonly Value[], bounds: Bounds, running: Running): InTurns<Value[]> {
  const results: Value[] = Array.from({ length: envs.length }, () => null);
  let first = envs.length;
  for (let index = envs.length - 1; index >= 0; index--) {
    const [from] = bounds(index, sortValues);
    while (first > from) running.add(envs[--first] as Env);
    results[index] = running.result();
    yield;
  }
  return results;
}

/** @returns the bounds of a window where it has some */
export function edgesOf(window: Value): readonly [Value, Value] {
  const { documents, range }: Doc = typeof window === 'object' && window !== null ? (window as Doc) : {};
  const [low, high] = (documents ?? range ?? ['unbounded', 'unbounded']) as readonly Value[];
  return [low, high];
}

import type { Numeric } from '../../bson/arithmetic.ts';
import { isNumber, type Value } from '../../bson/values.ts';
import { compileExpression, type Env, type ExpressionScope } from '../expression.ts';
import { isNullish } from '../operators/define.ts';
import { SlidingEnd } from '../sliding-end.ts';
import { SlidingExtreme } from '../sliding-extremes.ts';
import { SlidingDeviation, type SlidingStatistic } from '../sliding-statistics.ts';
import { SlidingTotal } from '../sliding-total.ts';
import { slide } from './slide.ts';
import type { Bounds } from './window-bounds.ts';
import type { WindowFunction } from './window-functions.ts';

/** What is made of the numbers in a window. */
const NUMBERS = new Map<string, () => SlidingStatistic<Numeric>>([
  ['$sum', () => new SlidingTotal(false)],
  ['$count', () => new SlidingTotal(false)],
  ['$avg', () => new SlidingTotal(true)],
  ['$stdDevPop', () => new SlidingDeviation(false)],
  ['$stdDevSamp', () => new SlidingDeviation(true)],
]);

/** @returns what is worked out of windows that leave documents behind; `undefined` where all documents of each are needed */
export function movingWindow(name: string, operand: Value, scope: ExpressionScope, bounds: Bounds): WindowFunction | undefined {
  const of = compileExpression(name === '$count' ? 1 : operand, scope);
  const statistic = NUMBERS.get(name);
  if (statistic) {
    const numberOf = (env: Env): Numeric | undefined => {
      const value = of(env);
      return isNumber(value) ? value : undefined;
    };
    return ({ envs, sortValues }) => slide(envs, numberOf, sortValues, bounds, statistic());
  }
  if (name === '$min' || name === '$max') {
    const direction = name === '$max' ? 1 : -1;
    const presentOf = (env: Env): Value => {
      const value = of(env);
      return isNullish(value) ? undefined : value;
    };
    return ({ envs, sortValues }) => slide(envs, presentOf, sortValues, bounds, new SlidingExtreme(direction, scope.collator));
  }
  if (name !== '$first' && name !== '$last') return undefined;
  const end = name === '$first' ? 'first' : 'last';
  return ({ envs, sortValues }) => slide(envs, (env) => of(env) ?? null, sortValues, bounds, new SlidingEnd(end));
}

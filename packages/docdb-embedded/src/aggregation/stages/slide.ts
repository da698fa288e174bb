import type { Value } from '../../bson/values.ts';
import type { SlidingStatistic } from '../sliding-statistics.ts';
import { forEach, type InTurns } from './in-turns.ts';
import type { Bounds } from './window-bounds.ts';

/**
 * Takes a window along a partition: what comes in is added first, what stays behind is removed then.
 *
 * @param values what each document gives to the statistic, `undefined` for those that give nothing
 * @returns the statistic of the window of each document
 */
export function slide<T>(
  values: readonly (T | undefined)[],
  sortValues: readonly Value[],
  bounds: Bounds,
  statistic: SlidingStatistic<T>,
): InTurns<Value[]> {
  let first = 0;
  let next = 0;
  return forEach(values, (_value, index) => {
    const [from, to] = bounds(index, sortValues);
    if (first === next && from > next) [first, next] = [from, from];
    for (; next <= to; next++) {
      const value = values[next];
      if (value !== undefined) statistic.add(value);
    }
    for (; first < Math.min(from, next); first++) {
      const value = values[first];
      if (value !== undefined) statistic.remove(value);
    }
    return statistic.result();
  });
}

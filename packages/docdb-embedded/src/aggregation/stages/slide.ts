import type { Value } from '../../bson/values.ts';
import type { SlidingStatistic } from '../sliding-statistics.ts';
import { forEach, type InTurns } from './in-turns.ts';
import type { Bounds } from './window-bounds.ts';

/**
 * Takes a window along a partition: what comes in is added first, what stays behind is removed then.
 *
 * @param items one for each document
 * @param valueOf what it gives to the statistic, `undefined` for nothing; asked when it comes in, once
 * @returns the statistic of the window of each document
 */
export function slide<Item, T>(
  items: readonly Item[],
  valueOf: (item: Item) => T | undefined,
  sortValues: readonly Value[],
  bounds: Bounds,
  statistic: SlidingStatistic<T>,
): InTurns<Value[]> {
  const values: (T | undefined)[] = [];
  let first = 0;
  let next = 0;
  return forEach(items, (_item, index) => {
    const [from, to] = bounds(index, sortValues);
    if (first === next && from > next) [first, next] = [from, from];
    for (; next <= to; next++) {
      const value = valueOf(items[next] as Item);
      values[next] = value;
      if (value !== undefined) statistic.add(value);
    }
    for (; first < Math.min(from, next); first++) {
      const value = values[first];
      if (value !== undefined) statistic.remove(value);
    }
    return statistic.result();
  });
}

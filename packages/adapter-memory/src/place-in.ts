/**
 * Looks for a place in a list by halves.
 *
 * @param list in order: what comes before the place stands before all else
 * @param isBefore whether an element comes before the place
 * @returns the number of elements that come before it
 */
export function placeIn<E>(list: readonly E[], isBefore: (element: E) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = list[middle];
    if (element !== undefined && isBefore(element)) low = middle + 1;
    else high = middle;
  }
  return low;
}

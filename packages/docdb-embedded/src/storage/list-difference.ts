import { sameValue } from '../bson/same-value.ts';
import type { Value } from '../bson/values.ts';

/** In which elements two lists differ. */
export interface ListDifference {
  readonly gone: readonly Value[];
  readonly come: readonly Value[];
  /** Those of both. */
  readonly kept: readonly Value[];
}

/** @returns what is different between two lists that begin and end alike, or are of one length */
export function listDifference(before: readonly Value[], after: readonly Value[]): ListDifference {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && sameValue(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && sameValue(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  const kept = [...before.slice(0, start), ...before.slice(before.length - end)];
  if (gone.length !== come.length) return { gone, come, kept };
  const differs = gone.map((element, at) => !sameValue(element, come[at]));
  return {
    gone: gone.filter((_element, at) => differs[at]),
    come: come.filter((_element, at) => differs[at]),
    kept: [...kept, ...gone.filter((_element, at) => !differs[at])],
  };
}

import type { Coercion } from './coerce.ts';

/** One of the schemas of a union. */
export interface Branch {
  readonly fits: (value: unknown) => boolean;
  /** By its type alone: a validator may fill in, or take away, what keeps an object from fitting. */
  readonly isLike: (value: unknown) => boolean;
  readonly convert: Coercion;
}

/** The first branch that the value fits after conversion; a branch that takes the value as it is comes first. */
export function byBranch(branches: readonly Branch[], value: unknown): unknown {
  // Where texts are meant, one that is not as it has to be is no missing value, and no list of one.
  const isText = typeof value === 'string' && branches.some((branch) => branch.isLike(value));
  for (const test of ['fits', 'isLike'] as const) {
    for (const branch of branches) if (branch[test](value) && branch.convert(value) === value) return value;
    // A text that stands for null is no list of one.
    if (!isText && (value === '' || value === 'null') && branches.some((branch) => branch.convert(value) === null)) return null;
    for (const branch of branches) {
      const converted = branch.convert(value);
      if (branch[test](converted) && !(isText && isEmptyOrList(converted))) return converted;
    }
  }
  return value;
}

function isEmptyOrList(value: unknown): boolean {
  return value === null || Array.isArray(value);
}

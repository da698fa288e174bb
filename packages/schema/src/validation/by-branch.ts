import type { Rewrite } from './rewrites.ts';

/** One of the schemas of a union. */
export interface Branch {
  readonly fits: (value: unknown) => boolean;
  /** By its type alone: a validator may fill in, or take away, what keeps an object from fitting. */
  readonly isLike: (value: unknown) => boolean;
  /** Whether the value can not fit, however it is converted: most objects of unions are told by a text. */
  readonly excludes: (value: unknown) => boolean;
  readonly convert: Rewrite;
  /** What its validator says. Asked where more than one branch may be meant. */
  readonly takes: (value: unknown) => boolean;
}

/** What a branch makes of the value. */
interface Candidate {
  readonly branch: Branch;
  readonly made: unknown;
}

/**
 * The first branch that the value fits after conversion; a branch that takes the value as it is comes first. Objects and lists are told by what lies on
 * their surface: where that lets several branches be meant, the first one that takes what it has made is.
 */
export function byBranch(branches: readonly Branch[], value: unknown): unknown {
  // Where texts are meant, one that is not as it has to be is no missing value, and no list of one.
  const isText = typeof value === 'string' && branches.some((branch) => branch.isLike(value));
  for (const test of ['fits', 'isLike'] as const) {
    const keeps = (branch: Branch): boolean => branch[test](value) && branch.convert(value) === value;
    if (!hasParts(value) && branches.some(keeps)) return value;
    // A text that stands for null is no list of one.
    if (!isText && (value === '' || value === 'null') && branches.some((branch) => branch.convert(value) === null)) return null;
    const candidates = hasParts(value) ? branches.filter(keeps).map((branch): Candidate => ({ branch, made: value })) : [];
    for (const branch of branches) {
      if (test === 'fits' && branch.excludes(value)) continue;
      const made = branch.convert(value);
      if (made === value || !branch[test](made) || (isText && isEmptyOrList(made))) continue;
      if (candidates.length === 0 && !hasParts(made)) return made;
      candidates.push({ branch, made });
    }
    const [first] = candidates;
    if (first) return decided(first, candidates);
  }
  return value;
}

function decided(first: Candidate, candidates: readonly Candidate[]): unknown {
  const isOne = candidates.every(({ made }) => made === first.made);
  return (isOne ? first : (candidates.find(({ branch, made }) => branch.takes(made)) ?? first)).made;
}

/** @returns whether a value may have parts, which decide */
function hasParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isEmptyOrList(value: unknown): boolean {
  return value === null || Array.isArray(value);
}

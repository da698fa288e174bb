import { locationsOn, partsOf } from './path.ts';
import type { PathPlace } from './path-place.ts';
import { MAX_PROBLEMS, type Problem } from './record-rules.ts';
import type { Sight } from './sight.ts';
import { MAX_DEPTH, tellProblem } from './tell-problem.ts';
import { comparesPath, comparesWithin, READING_OPERATORS, REMOVING_OPERATORS } from './update-operators.ts';

/**
 * Finds what a viewer may not set in data that nothing describes: below names, names with dots, lists and update operators.
 *
 * @returns at most 20 problems
 */
export function refusedPaths(data: unknown, root: PathPlace, sight: Sight): Problem[] {
  const problems: Problem[] = [];
  inside(data, root, '', undefined, 0);
  return problems;

  function inside(value: unknown, place: PathPlace, base: string, operator: string | undefined, depth: number): void {
    if (typeof value !== 'object' || value === null) return;
    if (depth > MAX_DEPTH) tell(base, 'depth', `is nested deeper than ${String(MAX_DEPTH)} levels`);
    else for (const [name, entry] of Object.entries(value)) named(name, entry, place, joined(base, name), operator, depth + 1);
  }

  function named(name: string, value: unknown, place: PathPlace, path: string, operator: string | undefined, depth: number): void {
    if (problems.length >= MAX_PROBLEMS) return;
    // Operators, and modifiers of theirs, hold what lies at the same place.
    if (name.startsWith('$')) {
      const within = name === '$sort' ? name : (operator ?? name);
      const isTelling = (name === '$sort' && orders(value)) || comparesWithin(operator, name, value);
      if (isTelling && holdsUnseen(place)) tell(path, 'additionalProperties', 'can not be set');
      else if (Array.isArray(value)) listed(value, place, path, within, depth);
      else inside(value, place, path, within, depth);
      return;
    }
    const on = locationsOn(place, partsOf(name));
    const last = on.length === partsOf(name).length ? on.at(-1) : undefined;
    const isKept = on.some(
      ({ marks }) => !sight.sets(marks) || (operator !== undefined && READING_OPERATORS.has(operator) && !sight.sees(marks)),
    );
    const takesAway = operator !== undefined && REMOVING_OPERATORS.has(operator) && last?.some(({ marks }) => !sight.sets(marks)) === true;
    // A name below an operator is a path of it, and one further below lies in its operand.
    const isCompared = path === joined(operator ?? '', name) ? comparesPath(operator) : comparesWithin(operator, name, value);
    const isTelling = (isCompared || (operator === '$sort' && orders(value))) && last !== undefined && holdsUnseen(last);
    const known = problems.length;
    if (!isKept && !takesAway && last) inside(value, last, path, operator, depth);
    if (isKept || takesAway || (isTelling && problems.length === known)) tell(path, 'additionalProperties', 'can not be set');
    if (operator === '$rename' && typeof value === 'string') named(value, undefined, root, joined(operator, value), operator, depth);
  }

  /** Elements and conditions for the list that is changed, wherever they come to stand in it. */
  function listed(list: readonly unknown[], place: PathPlace, path: string, operator: string, depth: number): void {
    for (const [index, entry] of list.entries()) inside(entry, place, joined(path, String(index)), operator, depth + 1);
  }

  function holdsUnseen(place: PathPlace): boolean {
    return place.some(({ marks }) => !sight.sees(marks));
  }

  function tell(path: string, keyword: string, message: string): void {
    tellProblem(problems, path, keyword, message);
  }
}

/** The order of whole values tells of everything in them. */
function orders(value: unknown): boolean {
  return typeof value === 'number';
}

function joined(base: string, name: string): string {
  return base === '' ? name : `${base}.${name}`;
}

import { locationsOn, partsOf } from './path.ts';
import type { Place } from './place.ts';
import { MAX_PROBLEMS, type Problem, type Replacement, type WriteOperation } from './record-rules.ts';
import type { Sight } from './sight.ts';
import { REPLACING_OPERATORS } from './update-operators.ts';
import { kindOf } from './value-kind.ts';

/** Deepest nesting of data that is looked at. */
const MAX_DEPTH = 100;

/**
 * Finds what lies in a stored record beside the data that replaces it, and that the caller does not see or set: what nobody can send back, nobody takes
 * away.
 *
 * @param data one record, or a change of one
 */
export function replacedBy(data: unknown, root: Place, operation: WriteOperation, sight: Sight): Replacement {
  const kept: string[] = [];
  const problems: Problem[] = [];
  if (sight.internal || operation === 'create' || !isPlain(data)) return { kept, problems };
  const names = Object.keys(data);
  const isChange = operation === 'patch' || names.some((name) => name.startsWith('$'));
  if (isChange) for (const name of names) change(name, data[name]);
  else within(root, data, '', 0);
  return { kept, problems };

  function change(name: string, value: unknown): void {
    if (REPLACING_OPERATORS.has(name) && isPlain(value)) for (const path of Object.keys(value)) whole(path, path, name);
    else if (name.startsWith('$') || value === undefined) return;
    else if (name.includes('.')) whole(name, name, '');
    else {
      const place = root.step(name);
      if (place?.some(isKept) === true) at(place, value, name, 0);
    }
  }

  /** A value that is set by its path replaces whatever is there. */
  function whole(path: string, shown: string, operator: string): void {
    const parts = partsOf(path);
    const on = locationsOn(root, parts);
    if (on.length === parts.length && on.at(-1)?.some(isNotSet) === true) tell(operator === '' ? shown : `${operator}.${shown}`);
  }

  function at(place: Place, value: unknown, path: string, depth: number): void {
    if (isPlain(value) && depth < MAX_DEPTH) within(place, value, path, depth);
    else if (place.some(isNotSet)) tell(path);
  }

  function within(place: Place, value: Readonly<Record<string, unknown>>, path: string, depth: number): void {
    for (const name of place.names) {
      const child = place.step(name);
      if (child === undefined || !child.some(isKept)) continue;
      const inner = path === '' ? name : `${path}.${name}`;
      const given = Object.hasOwn(value, name) && value[name] !== undefined;
      if (/^\$|\./.test(name)) tell(inner);
      else if (!given) kept.push(inner);
      else if (!isKept(child)) at(child, value[name], inner, depth + 1);
    }
    if (place.unlisted().some((other) => other.some(isNotSet))) tell(path);
  }

  function isKept({ marks }: Place): boolean {
    return !sight.sets(marks) || !sight.sees(marks);
  }

  function isNotSet({ marks }: Place): boolean {
    return !sight.sets(marks);
  }

  function tell(path: string): void {
    if (problems.length >= MAX_PROBLEMS) return;
    const name = path === '' ? 'the record' : path;
    problems.push({ path, keyword: 'replaced', message: `${name} can not be replaced: parts of it can not be set`, params: {} });
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && kindOf(value) === 'object';
}

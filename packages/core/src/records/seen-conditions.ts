import type { Problem, RecordRules, Viewer } from './record-rules.ts';
import { MAX_DEPTH, tellProblem } from './tell-problem.ts';

/** Conditions of databases that read whatever a record holds, and name it in ways of their own. */
const WHOLE: ReadonlySet<string> = new Set(['$expr', '$jsonSchema', '$where']);

/**
 * Finds what a caller may not ask about from: properties in conditions, `$sort` and `$select`, and whole records where it does not see all of them.
 *
 * @param query the query of a call
 * @returns at most 20 problems, which say of such a property what is said of one that does not exist
 */
export function unseenConditions(query: unknown, rules: RecordRules, viewer: Viewer): Problem[] {
  const problems: Problem[] = [];
  const ask = (path: string, place: string, right: 'queryable' | 'readable'): void => {
    const rights = rules.property(path.split('.'), viewer);
    if (rights === undefined || rights[right]) return;
    tell(place, 'must NOT have additional properties');
  };
  const tell = (path: string, message: string, keyword = 'additionalProperties'): void => {
    tellProblem(problems, path, keyword, message);
  };
  const visit = (criteria: unknown, base: string, depth = 0): void => {
    if (!isObject(criteria)) return;
    // Services take less, and say so themselves.
    if (depth > MAX_DEPTH) {
      tell(base, `is nested deeper than ${String(MAX_DEPTH)} levels`, 'depth');
      return;
    }
    for (const [name, value] of Object.entries(criteria)) {
      const place = `${base}${name}`;
      if (WHOLE.has(name)) {
        if (rules.unseenBy(viewer).length > 0) tell(place, 'reads whole records, and parts of them can not be asked for');
      } else if (name === '$sort' && isObject(value)) for (const path of Object.keys(value)) ask(path, `${place}.${path}`, 'queryable');
      // One name alone is taken as a list of one.
      else if (name === '$select' && (typeof value === 'string' || Array.isArray(value)))
        for (const path of [value].flat()) {
          if (typeof path === 'string') ask(path, place, 'readable');
          else tell(place, 'takes names of properties', 'type');
        }
      else if (name.startsWith('$') && Array.isArray(value))
        value.forEach((part, index) => visit(part, `${place}.${String(index)}.`, depth + 1));
      else if (name.startsWith('$')) visit(value, `${place}.`, depth + 1);
      else ask(name, place, 'queryable');
    }
  };
  visit(query, '');
  return problems;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isPlainObject } from '@framework/query';
import type { Problem, Viewer } from '../record-shape/record-rules.ts';
import type { RecordShape } from '../record-shape/record-shape.ts';
import { MAX_PROBLEMS } from '../record-shape/refused.ts';

/**
 * Finds what a caller may not ask about because of rules by role: properties in conditions, `$sort` and `$select`.
 *
 * @param query a query that its schema has taken
 * @returns at most 20 problems, which say of such a property what is said of one that does not exist
 */
export function unseenConditions(query: unknown, shape: RecordShape, viewer: Viewer): Problem[] {
  const problems: Problem[] = [];
  const ask = (path: string, place: string, right: 'queryable' | 'readable'): void => {
    const rules = shape.property(path.split('.'), viewer);
    if (rules === undefined || rules[right] || problems.length >= MAX_PROBLEMS) return;
    problems.push({ path: place, keyword: 'additionalProperties', message: `${place} must NOT have additional properties`, params: {} });
  };
  const visit = (criteria: unknown, base: string): void => {
    if (!isPlainObject(criteria)) return;
    for (const [name, value] of Object.entries(criteria)) {
      const place = `${base}${name}`;
      if (name === '$sort' && isPlainObject(value)) for (const path of Object.keys(value)) ask(path, `${place}.${path}`, 'queryable');
      else if (name === '$select' && Array.isArray(value)) for (const path of value) ask(String(path), place, 'readable');
      else if (name.startsWith('$') && Array.isArray(value)) value.forEach((part, index) => visit(part, `${place}.${String(index)}.`));
      else if (!name.startsWith('$')) ask(name, place, 'queryable');
    }
  };
  visit(query, '');
  return problems;
}

import { isPlainObject } from '@framework/query';
import type { Document } from 'mongodb';
import type { CompiledFilter } from '../compile/criteria.ts';

const LOGICAL: ReadonlySet<string> = new Set(['$or', '$and', '$nor']);

/**
 * The conditions of a filter that a change can not have ended, because it touches none of the properties that they name.
 *
 * @param change an update document
 * @returns conditions that all have to hold
 */
export function unchangedConditions(filter: CompiledFilter, change: Document): Document[] {
  const changed = changedPaths(change);
  return conjuncts(filter).filter((condition) => {
    const named = namedPaths(condition);
    return named !== undefined && !named.some((path) => changed.some((other) => overlap(path, other)));
  });
}

function conjuncts(filter: Document): Document[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    name === '$and' && Array.isArray(value) ? (value as Document[]).flatMap(conjuncts) : [{ [name]: value as unknown }],
  );
}

/** @returns `undefined` for a condition that says not which properties it looks at, such as a search in texts */
function namedPaths(condition: Document): string[] | undefined {
  const paths: string[] = [];
  for (const [name, value] of Object.entries(condition)) {
    if (!name.startsWith('$')) paths.push(name);
    else if (!LOGICAL.has(name) || !Array.isArray(value)) return undefined;
    else
      for (const branch of value as Document[]) {
        const named = namedPaths(branch);
        if (named === undefined) return undefined;
        paths.push(...named);
      }
  }
  return paths;
}

function changedPaths(change: Document): string[] {
  return Object.entries(change).flatMap(([operator, operands]) => {
    if (!isPlainObject(operands)) return [];
    return operator === '$rename' ? Object.entries(operands).flatMap(([from, to]) => [from, String(to)]) : Object.keys(operands);
  });
}

/** Positions and positional operators stand for any element, so that only names are compared. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [namesOf(one), namesOf(other)];
  return a.slice(0, b.length).every((name, index) => name === b[index]);
}

function namesOf(path: string): string[] {
  return path.split('.').filter((step) => !/^(?:\d+|\$.*)$/.test(step));
}

import { partsOf } from '@framework/core';

/** Steps of a path that stay in a list. */
const POSITION = /^(?:\d+|\$|\$\[.*\])$/;

/**
 * Tells whether data that a service is about to write could change certain properties: it names one of them, something around
 * or inside it, or it is of a form that can not be seen through.
 *
 * @param data data of a `patch`, with or without update operators
 * @param paths dotted paths of properties
 */
export function mayChange(data: unknown, paths: readonly string[]): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return true;
  return Object.entries(data).some(([name, value]) =>
    name.startsWith('$') ? operatorMayChange(name, value, paths) : isConcerned(name, paths),
  );
}

function operatorMayChange(operator: string, operand: unknown, paths: readonly string[]): boolean {
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return true;
  return Object.entries(operand).some(
    ([name, value]) => isConcerned(name, paths) || (operator === '$rename' && (typeof value !== 'string' || isConcerned(value, paths))),
  );
}

function isConcerned(name: string, paths: readonly string[]): boolean {
  const given = namesOf(name);
  return paths.some((path) => {
    const parts = namesOf(path);
    return given.slice(0, parts.length).every((part, index) => part === parts[index]);
  });
}

function namesOf(path: string): string[] {
  return partsOf(path).filter((part) => !POSITION.test(part));
}

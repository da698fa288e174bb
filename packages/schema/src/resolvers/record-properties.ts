import { kindOf } from '@framework/core';

/** @returns whether a value has properties to resolve */
export function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const kind = kindOf(value);
  return kind === 'object' || kind === 'json';
}

/** @returns the properties of a record; what makes its own JSON may keep some out of it, which a copy would show */
export function propertiesOf(record: object): object {
  const made: unknown = kindOf(record) === 'json' ? (record as { toJSON(): unknown }).toJSON() : record;
  return typeof made === 'object' && made !== null ? made : {};
}

/** @returns whether one of the paths asks for a property, or for a part of it */
export function isAskedFor(name: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === name || path.startsWith(`${name}.`));
}

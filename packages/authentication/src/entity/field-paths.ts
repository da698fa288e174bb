import { partsOf } from '@framework/core';
import { isRecord } from '../values.ts';

/**
 * @param path dotted; through a list it leads to every element, or with a number to one of them
 * @returns the value at a path of own properties: for a list on the way, the values of those elements that have one; `undefined` where there is none
 */
export function valueAt(record: unknown, path: string): unknown {
  return inside(record, partsOf(path));
}

function inside(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value) && !/^\d+$/.test(name)) return inElements(value, [name, ...rest]);
  return isRecord(value) && Object.hasOwn(value, name) ? inside(value[name], rest) : undefined;
}

function inElements(list: readonly unknown[], names: readonly string[]): unknown {
  const found = list.map((element) => inside(element, names)).filter((value) => value !== undefined);
  return found.length === 0 ? undefined : found;
}

import { isPlainObject } from '@framework/query';
import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { MAX_DEPTH, tooDeep } from './too-deep.ts';

const check: SchemaValidateFunction = (wanted: boolean, list: readonly unknown[]) => {
  const found = wanted ? sameIn(list) : undefined;
  if (found) {
    const [j, i] = found;
    const message = `must NOT have duplicate items (items ## ${String(j)} and ${String(i)} are identical)`;
    check.errors = [{ keyword: 'uniqueItems', message, params: { i, j } }];
  }
  return found === undefined;
};

/** The keyword as validators know it, in a time that grows with the list: theirs compares each element with each other one. */
export const uniqueItems: FuncKeywordDefinition = { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: check };

/** @returns the positions of the first element that was there before, and of that one before it */
function sameIn(list: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, element] of list.entries()) {
    const key = keyOf(element, 0);
    const before = seen.get(key);
    if (before !== undefined) return [before, index];
    seen.set(key, index);
  }
  return undefined;
}

/** A text that is the same for values that are equal, whatever the order of their properties, and for no others. */
function keyOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : `${typeof value} ${String(value)}`;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return `[${value.map((entry) => keyOf(entry, depth + 1)).join()}]`;
  const entries = Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}:${keyOf(entry, depth + 1)}`);
  return `${ownText(value)}{${entries.sort().join()}}`;
}

/** What instances of classes are compared by: dates by their time, object ids by their text. */
function ownText(value: object): string {
  if (isPlainObject(value)) return '';
  const hasOwn = (method: 'valueOf' | 'toString'): boolean => Reflect.get(value, method) !== Reflect.get(Object.prototype, method);
  const text: unknown = hasOwn('valueOf') ? value.valueOf() : hasOwn('toString') ? value : '';
  return `${value.constructor.name} ${String(text)}`;
}

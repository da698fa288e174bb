import { argumentNames, isKept } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { checkValue, type ValueLimits } from './check-value.ts';

/** Longest id, in bytes (security S1). */
const ID_LIMIT = 1024;
/** As for bodies of REST (security S12). */
const DATA: Omit<ValueLimits, 'bytes'> = { name: 'data', depth: 64, entries: 100_000 };
/** As for query strings of REST: a name and five brackets (security S12). */
const QUERY: Omit<ValueLimits, 'bytes'> = { name: 'query', depth: 6, entries: 2000 };

const OF_PROTOTYPES: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype']);
/** Methods that may be for several records, with `null` as the id. */
const FOR_SEVERAL: ReadonlySet<string> = new Set(['update', 'patch', 'remove']);

/** What a client has sent for a call, checked. */
export interface CallArguments {
  /** What comes before the parameters of the call. */
  readonly before: readonly unknown[];
  readonly query: object;
}

/**
 * Checks the arguments of a call.
 *
 * @param method a method of the service
 * @param args what the client has sent behind the path
 * @param maxBytes how large they may be together
 * @throws BadRequest (400) for an argument too many, or one that is not what the method takes; PayloadTooLarge (413)
 * @see security S1, S8, S9, S11, S12
 */
export function callArguments(method: string, args: readonly unknown[], maxBytes: number): CallArguments {
  const names = argumentNames(method);
  if (args.length > names.length) throw new BadRequest(`Too many arguments for '${method}' method`);
  const before: unknown[] = [];
  let query: object = {};
  for (const [index, name] of names.entries()) {
    const value = args[index];
    if (name === 'params') query = checkedQuery(value, maxBytes);
    else before.push(name === 'id' ? checkedId(value, method) : checkedData(value, maxBytes));
  }
  return { before, query };
}

function checkedId(id: unknown, method: string): string | number | null {
  if (!isKept(id)) throw new BadRequest('The id is not valid');
  if (typeof id === 'number') return id;
  if (id === null && FOR_SEVERAL.has(method)) return null;
  if (typeof id !== 'string') throw new BadRequest(`The id has to be text or a number, and is ${kindOf(id)}`);
  if (id === '') throw new BadRequest('The id is empty');
  if (Buffer.byteLength(id) > ID_LIMIT) throw new BadRequest(`The id is longer than ${ID_LIMIT} bytes`);
  if (OF_PROTOTYPES.has(id) || id.includes('\0')) throw new BadRequest('The id is not valid');
  return id;
}

function checkedData(data: unknown, bytes: number): unknown {
  if (data === undefined || data === null) return {};
  if (typeof data !== 'object' || ArrayBuffer.isView(data))
    throw new BadRequest(`The data has to be an object or a list, and is ${kindOf(data)}`);
  checkValue(data, { ...DATA, bytes });
  return data;
}

function checkedQuery(query: unknown, bytes: number): object {
  if (query === undefined || query === null) return {};
  if (typeof query !== 'object' || Array.isArray(query) || ArrayBuffer.isView(query)) {
    throw new BadRequest(`The query has to be an object, and is ${kindOf(query)}`);
  }
  checkValue(query, { ...QUERY, bytes });
  return query;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  if (ArrayBuffer.isView(value)) return 'bytes';
  return Array.isArray(value) ? 'a list' : typeof value;
}

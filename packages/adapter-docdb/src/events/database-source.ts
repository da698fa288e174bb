import { isThenable } from '@framework/core';
import type { Db } from 'mongodb';

/** A database, or what gives one. */
export type DatabaseSource = Db | Promise<Db> | (() => Db | Promise<Db>);

/**
 * Refuses what is known to be no database before the log starts.
 *
 * @param given callers without types may give anything
 * @throws TypeError that says what to write
 */
export function checkDatabaseSource(given: unknown): void {
  if (typeof given !== 'function' && !isThenable(given)) checkDatabase(given);
}

/**
 * @returns what the source gives
 * @throws TypeError that says what to write where that is no database, and what the source throws
 */
export async function databaseOf(source: DatabaseSource): Promise<Db> {
  const given: unknown = await (typeof source === 'function' ? source() : source);
  checkDatabase(given);
  return given;
}

/** By its methods: another copy of the driver has other classes. */
function checkDatabase(given: unknown): asserts given is Db {
  const wrong = wrongIn(given);
  if (wrong !== undefined)
    throw new TypeError(`eventLog() takes a database of the mongodb driver, a promise of one or a function, and ${wrong}`);
}

function wrongIn(given: unknown): string | undefined {
  if (typeof given === 'string') return 'not a text';
  if (typeof given !== 'object' || given === null) return `not ${String(given)}`;
  const has = (name: string): boolean => typeof Reflect.get(given, name) === 'function';
  if (has('collection')) return undefined;
  if (has('find')) return 'this is a collection: the log has one of its own, by the option collection';
  return has('db') ? 'this is a client: write client.db()' : undefined;
}

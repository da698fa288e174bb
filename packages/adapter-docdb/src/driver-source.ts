import { isThenable } from '@framework/core';
import type { Collection, Db } from 'mongodb';

/** A collection, or what gives one. */
export type CollectionSource = Collection | Promise<Collection> | (() => Collection | Promise<Collection>);

/** A database, or what gives one. */
export type DatabaseSource = Db | Promise<Db> | (() => Db | Promise<Db>);

/** What of the driver is taken, in messages and by its methods: another copy of the driver has other classes. */
export interface Taken {
  /** The beginning of messages, for example `sessionStore() takes a collection`. */
  readonly takes: string;
  /** A method that it has. */
  readonly method: string;
  /** What is given in its place, by a method, and what to write. */
  readonly mistaken: readonly (readonly [method: string, said: string])[];
}

/**
 * @param takes for example `sessionStore() takes`
 * @param example a name for the collection
 */
export function collectionIn(takes: string, example: string): Taken {
  return {
    takes: `${takes} a collection`,
    method: 'find',
    mistaken: [
      ['collection', `a database: write db.collection('${example}')`],
      ['db', `a client: write client.db().collection('${example}')`],
    ],
  };
}

/** What an event log takes. */
export const LOG_DATABASE: Taken = {
  takes: 'eventLog() takes a database',
  method: 'collection',
  mistaken: [
    ['find', 'a collection: the log has one of its own, by the option collection'],
    ['db', 'a client: write client.db()'],
  ],
};

/**
 * Refuses what is known to be something else before anything asks for it: later each call would fail.
 *
 * @param given callers without types may give anything
 * @throws TypeError that says what to write
 */
export function checkSource(given: unknown, taken: Taken): void {
  if (typeof given !== 'function' && !isThenable(given)) check(given, taken);
}

/**
 * @returns what the source gives
 * @throws TypeError that says what to write where that is something else, and what the source throws
 */
export async function fromSource<T extends object>(source: T | Promise<T> | (() => T | Promise<T>), taken: Taken): Promise<T> {
  const given = await (isGiver(source) ? source() : source);
  check(given, taken);
  return given;
}

function isGiver<T extends object>(source: T | Promise<T> | (() => T | Promise<T>)): source is () => T | Promise<T> {
  return typeof source === 'function';
}

function check(given: unknown, { takes, method, mistaken }: Taken): void {
  const wrong = (what: string): TypeError => new TypeError(`${takes} of the mongodb driver, a promise of one or a function, and ${what}`);
  if (typeof given !== 'object' || given === null) throw wrong(`not ${given === null ? 'null' : typeof given}`);
  const has = (name: string): boolean => typeof Reflect.get(given, name) === 'function';
  if (has(method)) return;
  const known = mistaken.find(([name]) => has(name));
  if (known) throw wrong(`this is ${known[1]}`);
}

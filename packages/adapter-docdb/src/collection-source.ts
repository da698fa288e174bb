import { isThenable } from '@framework/core';
import type { Collection } from 'mongodb';

/** A collection, or what gives one. */
export type CollectionSource = Collection | Promise<Collection> | (() => Collection | Promise<Collection>);

/** What is given a collection, in its messages. */
export interface Taker {
  /** Their beginning, for example `sessionStore() takes`. */
  readonly takes: string;
  /** A name for its collection. */
  readonly example: string;
}

/**
 * Refuses what is known to be no collection before anything asks for it: later each call would fail.
 *
 * @param given callers without types may give anything
 * @throws Error that says what to write
 */
export function checkSource(given: unknown, taker: Taker): void {
  if (given === null || !['object', 'function'].includes(typeof given)) {
    const kind = given === null ? 'null' : typeof given;
    throw new Error(`${taker.takes} a collection of the mongodb driver, a promise of one or a function, and not ${kind}`);
  }
  if (typeof given === 'object' && !isThenable(given)) checkCollection(given, taker);
}

/**
 * @returns what the source gives
 * @throws Error that says what to write where that is no collection, and what the source throws
 */
export async function collectionOf(source: unknown, taker: Taker): Promise<Collection> {
  const given: unknown = await (typeof source === 'function' ? (source as () => unknown)() : source);
  checkCollection(given, taker);
  return given;
}

/** Looks for a database or a client in the place of a collection, by their methods: another copy of the driver has other classes. */
function checkCollection(given: unknown, { takes, example }: Taker): asserts given is Collection {
  const wrong = (what: string): Error => new Error(`${takes} a collection of the mongodb driver, and this is ${what}`);
  if (typeof given !== 'object' || given === null) throw wrong(String(given));
  if (hasMethod(given, 'find')) return;
  if (hasMethod(given, 'collection')) throw wrong(`a database: write db.collection('${example}')`);
  if (hasMethod(given, 'db')) throw wrong(`a client: write client.db().collection('${example}')`);
}

function hasMethod(given: object, name: string): boolean {
  return typeof Reflect.get(given, name) === 'function';
}

import type { Collection } from 'mongodb';

/**
 * Looks whether a service has got a collection, by its methods: another copy of the driver has other classes.
 *
 * @param given what was given as `Model`, or what that gave
 * @throws Error that says what to write for a database, a client and everything else that is none
 */
export function checkedCollection(given: unknown): Collection {
  if (typeof given === 'object' && given !== null) {
    if (hasMethod(given, 'find')) return given as Collection;
    if (hasMethod(given, 'collection')) throw wrong("a database: write db.collection('users')");
    if (hasMethod(given, 'db')) throw wrong("a client: write client.db().collection('users')");
  }
  throw wrong(typeof given === 'object' && given !== null ? 'another object' : String(given));
}

function hasMethod(given: object, name: string): boolean {
  return typeof Reflect.get(given, name) === 'function';
}

function wrong(what: string): Error {
  return new Error(`The option 'Model' of DocDbService is a collection of the mongodb driver, and this is ${what}`);
}

import type { Collection } from 'mongodb';

/**
 * Looks whether a service has got a database or a client in the place of a collection, by their methods: another copy of the driver has other classes.
 *
 * @param given what was given as `Model`, or what that gave
 * @throws Error that says what to write
 */
export function checkedCollection(given: unknown): Collection {
  if (typeof given !== 'object' || given === null) throw wrong(String(given));
  if (!hasMethod(given, 'find')) {
    if (hasMethod(given, 'collection')) throw wrong("a database: write db.collection('users')");
    if (hasMethod(given, 'db')) throw wrong("a client: write client.db().collection('users')");
  }
  return given as Collection;
}

function hasMethod(given: object, name: string): boolean {
  return typeof Reflect.get(given, name) === 'function';
}

function wrong(what: string): Error {
  return new Error(`The option 'Model' of DocDbService is a collection of the mongodb driver, and this is ${what}`);
}

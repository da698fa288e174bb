import { types } from 'node:util';

/**
 * The object that `app.service` gives, and `this` in the user's methods (decisions 0011).
 *
 * - An instance of a class is that object itself: its private members are bound to it, so nothing else could run its methods.
 * - Of a plain object or a proxy, it is an object derived from it: a plain object may stand in several applications, and a proxy may answer
 *   for its methods itself whatever is defined on it.
 *
 * Members are defined on it without being enumerable, and `undo` takes them away again.
 */
export class ServiceObject {
  readonly object: object;
  readonly #before: ReadonlyMap<string | symbol, PropertyDescriptor>;
  readonly #defined = new Map<string | symbol, PropertyDescriptor | undefined>();

  /** @param service the user's object */
  constructor(service: object) {
    this.object = isInstance(service) ? service : derivedFrom(service);
    this.#before = ownProperties(this.object);
  }

  /**
   * Gives the object a member.
   *
   * @throws TypeError when it can not take it
   */
  define(name: string | symbol, value: unknown, path: string): void {
    if (!this.#defined.has(name)) this.#defined.set(name, this.#before.get(name));
    const done = Reflect.defineProperty(this.object, name, { value, writable: true, configurable: true });
    if (done && Reflect.get(this.object, name) === value) return;
    throw new TypeError(
      `The service of '${path}' can not take its hooks: its property '${String(name)}' can not be replaced. Register an object that is neither frozen nor sealed`,
    );
  }

  /** Takes away what was defined. What users have put in its place stays. */
  undo(): void {
    for (const [name, before] of this.#defined) restore(this.object, name, before);
    this.#defined.clear();
  }

  /** Makes the object as it was before its registration, for one that failed. */
  rollBack(): void {
    for (const name of ownProperties(this.object).keys()) restore(this.object, name, this.#before.get(name));
    for (const [name, before] of this.#before) restore(this.object, name, before);
  }
}

function derivedFrom(service: object): object {
  const derived: unknown = Object.create(service);
  return derived as object;
}

function isInstance(service: object): boolean {
  if (types.isProxy(service)) return false;
  const prototype: unknown = Object.getPrototypeOf(service);
  // Of whatever realm: a plain object's prototype has none itself.
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

function ownProperties(object: object): Map<string | symbol, PropertyDescriptor> {
  return new Map(
    Reflect.ownKeys(object).flatMap((name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(object, name);
      return descriptor ? [[name, descriptor]] : [];
    }),
  );
}

function restore(object: object, name: string | symbol, before: PropertyDescriptor | undefined): void {
  if (before === undefined) Reflect.deleteProperty(object, name);
  else Reflect.defineProperty(object, name, before);
}

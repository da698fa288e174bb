import type { Publishers } from './publishers.ts';

/** Functions that add publishers, however many applications a service is in. */
const adding = new WeakSet<object>();

/** Gives an application or a service the functions that add publishers. A method of its own that is called so stays. */
export function addPublish(target: object, publishers: Publishers, events: () => readonly string[] | undefined): void {
  const publish = function (this: unknown, ...args: unknown[]): unknown {
    publishers.add(args, events());
    return this;
  };
  adding.add(publish);
  for (const name of ['publish', 'registerPublisher']) {
    const own: unknown = Reflect.get(target, name);
    if (typeof own === 'function' && !adding.has(own)) continue;
    Object.defineProperty(target, name, { value: publish, writable: true, configurable: true, enumerable: false });
  }
}

import { property } from '../values.ts';

type Listeners = Map<string, Set<() => void>>;

/** Who waits for writes of a service's entities, by the id. */
const waiting = new WeakMap<object, Listeners>();

/**
 * Calls a listener after each write of an entity that its service tells of in this process, until the returned function is called: also
 * after one in a transaction, and not before that has ended well.
 *
 * @param service service of the entities
 * @param idName name of the id property
 */
export function whenWritten(service: object, idName: string, id: string, listener: () => void): () => void {
  const listeners = listenersOf(service, idName);
  const own = listeners.get(id) ?? new Set();
  listeners.set(id, own.add(listener));
  return () => {
    own.delete(listener);
    if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
  };
}

function listenersOf(service: object, idName: string): Listeners {
  const known = waiting.get(service);
  if (known) return known;
  const listeners: Listeners = new Map();
  waiting.set(service, listeners);
  const on = property(service, 'on');
  const tell = (record: unknown): void => {
    for (const listener of listeners.get(String(property(record, idName))) ?? []) listener();
  };
  if (typeof on === 'function') for (const event of ['updated', 'patched', 'removed']) Reflect.apply(on, service, [event, tell]);
  return listeners;
}

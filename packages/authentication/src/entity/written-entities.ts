import { property } from '../values.ts';

/**
 * @param record as the event tells it: it may be a part of the entity
 * @param isRemoved whether the entity is gone
 */
type Listener = (record: unknown, isRemoved: boolean) => void;

type Listeners = Map<string, Set<Listener>>;

/** Who waits for writes of a service's entities, by the id. */
const waiting = new WeakMap<object, Listeners>();

/**
 * Calls a listener after each write of an entity that its service tells of in this process, until the returned function is called: also
 * after one in a transaction, and not before that has ended well. What does not say which entities were written, as a number of them does not, is told of all.
 *
 * @param service service of the entities
 * @param idName name of the id property
 */
export function whenWritten(service: object, idName: string, id: string, listener: Listener): () => void {
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
  const tell = (event: string) => (record: unknown) => {
    const id = property(record, idName);
    const concerned = id === undefined ? [...listeners.values()].flatMap((own) => [...own]) : [...(listeners.get(String(id)) ?? [])];
    // Nobody is known to be gone of whom it is not said.
    for (const listener of concerned) listener(record, event === 'removed' && id !== undefined);
  };
  if (typeof on === 'function') for (const event of ['updated', 'patched', 'removed']) Reflect.apply(on, service, [event, tell(event)]);
  return listeners;
}

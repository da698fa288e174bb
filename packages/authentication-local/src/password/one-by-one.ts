const last = new WeakMap<object, Promise<unknown>>();

/**
 * Does work of one call after all that the call has begun before: however many passwords a call brings, it takes one place in the queue of hashes, and others
 * find theirs.
 *
 * @param call context of the call
 */
export function oneByOne<T>(call: object, work: () => Promise<T>): Promise<T> {
  const before = last.get(call);
  const done = before === undefined ? work() : before.then(work);
  // What fails concerns whoever asked for it, and not what comes behind.
  last.set(
    call,
    done.catch(() => undefined),
  );
  return done;
}

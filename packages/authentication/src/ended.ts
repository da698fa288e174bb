const ended = new WeakSet<object>();

/**
 * Says of an error that what was sent was ours, and has ended: by itself, by a logout, or by being used. Nobody guesses by such a thing, and all the clients behind one
 * network address may have one at the same time, so that the limiter does not count it.
 *
 * @returns the same error
 */
export function ofEnded<E extends object>(error: E): E {
  ended.add(error);
  return error;
}

/** @returns whether an error was marked by {@link ofEnded} */
export function isOfEnded(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ended.has(error);
}

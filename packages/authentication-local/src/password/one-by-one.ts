import type { Params } from '@framework/core';
import { BadRequest } from '@framework/errors';

/** Passwords that one call from outside may bring: hashing must not become work that others can order (security S25). */
export const MOST_PASSWORDS = 100;

interface Work {
  count: number;
  /** Settles when all that was begun is done. */
  last: Promise<unknown>;
}

const known = new WeakMap<object, Work>();

/**
 * Does work on the passwords of one call one after another: however many it brings, it takes one place in the queue of hashes, and others find theirs.
 *
 * @param call context of the call
 * @throws BadRequest (400) for more than {@link MOST_PASSWORDS} from outside
 */
export async function oneByOne<T>(call: { readonly params?: Params }, work: () => Promise<T>): Promise<T> {
  const before = known.get(call) ?? { count: 0, last: Promise.resolve() };
  known.set(call, before);
  if (++before.count > MOST_PASSWORDS && call.params?.provider !== undefined)
    throw new BadRequest(`One call may bring at most ${String(MOST_PASSWORDS)} passwords. Send them in several`);
  const done = before.last.then(work);
  // What fails concerns whoever asked for it, and not what comes behind.
  before.last = done.catch(() => undefined);
  return done;
}

import { isThenable } from '@framework/core';
import type { Collection, Document } from 'mongodb';
import { clientOf, LONGEST, type Call } from './call.ts';
import { isCursor, readInTime } from './read-in-time.ts';
import { limitOf, withinLimit } from './within-limit.ts';

/** Documents, of those that are given at once, which the driver may need further commands for. */
const AT_ONCE = 1000;

/**
 * A collection of which all that is asked is answered or given up. Where a connection ends in the moment in which the driver takes it for a command, the driver (7.9 and
 * before) waits for a closed socket to take more, for ever: none of its own limits holds there. What has not ended in the time in which it would have tried twice is given
 * up, and its connection let go: the pool would run out of them. How long a caller takes who reads from a cursor is nobody else's matter.
 *
 * @param driver what goes to the driver with each command; without a time for answers there is none here either
 * @returns a collection whose answers fail with UnansweredError then
 */
export function inTime<T extends Document>(collection: Collection<T>, driver: Call['driver']): Collection<T> {
  const limit = limitOf(clientOf(collection), driver);
  if (limit === undefined) return collection;
  const known = made.get(collection);
  if (known?.limit === limit) return known.answering as Collection<T>;
  const answering = limited(collection, limit);
  made.set(collection, { limit, answering });
  return answering;
}

/** The last that was made of each collection: what is kept by collection is found again with the next call. */
const made = new WeakMap<object, { readonly limit: number; readonly answering: object }>();

function limited<T extends Document>(collection: Collection<T>, limit: number): Collection<T> {
  return new Proxy(collection, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, given);
        const [first] = given;
        const commands = Array.isArray(first) ? Math.ceil(first.length / AT_ONCE) : 1;
        if (isThenable(answer)) return withinLimit(answer, Math.min(limit * Math.max(commands, 1), LONGEST), clientOf(collection));
        return isCursor(answer) ? readInTime(answer, Math.min(limit, LONGEST), clientOf(collection)) : answer;
      };
    },
  });
}

import { compareOrder, type Order } from '../log/position.ts';
import { furthestOf, parseOffset, type Offset } from './offset.ts';
import type { Ring } from './ring.ts';

/** Where a client that comes back stands in the log. */
export interface Place {
  readonly offset: Offset;
  /** Number of its place in the window; `undefined` where it can not go on from there. */
  readonly number: number | undefined;
  /** Place that it has come to elsewhere, where this process has not read so far. */
  readonly unread: Order | undefined;
}

/** @returns what a client says of a log; `undefined` for what is said of another one, or was never told */
export function placeOf(text: unknown, epoch: string, ring: Ring): Place | undefined {
  const offset = parseOffset(text);
  if (offset?.epoch !== epoch) return undefined;
  const furthest = furthestOf(offset);
  // What this process has still to read it would get again.
  if (compareOrder(furthest, ring.last) > 0) return { offset, number: undefined, unread: furthest };
  return { offset, number: ring.numberAt(offset.order), unread: undefined };
}

import { createHash } from 'node:crypto';
import { compareOrder, orderText, parseOrder, type Order, type Position } from '../log/position.ts';

/**
 * What a client was told last, and tells when it comes back. It is the caller's input: it chooses where to start, and never what may be seen.
 */
export interface Offset extends Position {
  /** Whether the connection was logged in: its login is waited for then. */
  readonly loggedIn: boolean;
  /** What it has got behind the position already: it was told while it still caught up. */
  readonly ahead?: Ahead | undefined;
}

/** Up to where a connection has got the entries of single channels, by {@link channelMark}. */
export type Ahead = ReadonlyMap<string, Order>;

/** Most channels that an offset names; of more, events may come twice when a connection is cut while it catches up. */
export const MAX_MARKS = 32;

/** Letters of a mark. */
const MARK = 8;

/** @returns what an offset says for a channel: its name is not to be read from it */
export function channelMark(epoch: string, name: string): string {
  return createHash('sha256').update(`${epoch} ${name}`).digest('base64url').slice(0, MARK);
}

/** @returns an offset as text, for example `3kz81.1f` or, of a connection that is logged in, `3kz81.1f+` */
export function offsetText({ epoch, order, loggedIn, ahead }: Offset): string {
  const place = `${epoch}.${orderText(order)}${loggedIn ? '+' : ''}`;
  if (!ahead || ahead.size > MAX_MARKS) return place;
  const marks = new Map<string, string>();
  for (const [mark, high] of ahead) marks.set(orderText(high), (marks.get(orderText(high)) ?? '') + mark);
  return place + [...marks].map(([high, text]) => `~${high}~${text}`).join('');
}

/** @returns what a client tells; `undefined` for what no client was told */
export function parseOffset(text: unknown): Offset | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined;
  const [, epoch = '', place = '', plus, groups = ''] = OFFSET.exec(text) ?? [];
  const order = parseOrder(place);
  if (!order) return undefined;
  const ahead = new Map<string, Order>();
  for (const [, high = '', marks = ''] of groups.matchAll(GROUP)) {
    const highest = parseOrder(high);
    if (!highest || marks.length % MARK !== 0) return undefined;
    for (const mark of marks.match(EACH_MARK) ?? []) ahead.set(mark, highest);
  }
  return { epoch, order, loggedIn: plus === '+', ahead };
}

/** @returns the place up to which somebody has got something who tells this */
export function furthestOf({ order, ahead = new Map() }: Offset): Order {
  return [...ahead.values()].reduce((furthest, high) => (compareOrder(high, furthest) > 0 ? high : furthest), order);
}

const LONGEST = 100 + MAX_MARKS * (MARK + 40);
const OFFSET = /^([0-9a-z]{1,24})\.([0-9a-z.]+)(\+?)((?:~[0-9a-z.]+~[\w-]+)*)$/;
const GROUP = /~([0-9a-z.]+)~([\w-]+)/g;
const EACH_MARK = new RegExp(`.{${String(MARK)}}`, 'g');

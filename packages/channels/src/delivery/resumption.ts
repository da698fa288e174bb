import type { Membership } from '../channel/membership.ts';
import { compareOrder, type Order } from '../log/position.ts';
import { channelMark, MAX_MARKS, type Ahead } from './offset.ts';
import type { Recipients } from './recipients.ts';
import type { Ring, Slot } from './ring.ts';
import type { Subscription } from './subscription.ts';

/** Most marks that are kept; with more all are made anew. */
const MOST_KNOWN = 100_000;

/**
 * Keeps book of what connections that come back have got. They may join channels one after another while they log in: each channel's missed
 * events are sent when it is joined, so that some come before others that stand in front of them. What such a connection is told as its
 * position stays in front of all of them, with what it has got behind it.
 */
export class Resumption {
  readonly #membership: Membership;
  readonly #recipients: Recipients;
  /** Marks of channels in an epoch: to make them costs more than to find them, and an entry may be for many channels. */
  readonly #marks = new Map<string, string>();
  #epoch = '';

  constructor(membership: Membership, recipients: Recipients) {
    this.#membership = membership;
    this.#recipients = recipients;
  }

  /** Notes the channels whose events are sent from now on. */
  begin({ resume, subscriber }: Subscription, epoch: string): void {
    if (!resume) return;
    resume.marks = new Set([...this.#membership.channelsOf(subscriber.connection)].map((name) => this.#mark(epoch, name)));
  }

  /** @returns what is to be sent to a connection: a channel that it joins late does not make it look again at what it has got of the others */
  missed({ resume, subscriber, cursor }: Subscription, ring: Ring, epoch: string): Slot[] {
    const channels = this.#membership.channelsOf(subscriber.connection);
    return ring.after(cursor, channels, (name) => resume?.ahead.get(this.#mark(epoch, name)));
  }

  /** Makes a connection begin again in front of what it missed in a channel that it has only now joined. */
  joinedLate(subscription: Subscription, last: Order): void {
    const { resume, phase } = subscription;
    if (!resume) return;
    if (phase === 'live') resume.high = last;
    for (const mark of resume.marks) resume.ahead.set(mark, later(resume.ahead.get(mark), resume.high));
    resume.high = resume.low;
    subscription.cursor = resume.number;
    subscription.phase = 'behind';
  }

  /** Notes that a connection has got no more of a channel than up to now: what is told there while it is away may be for another channel that it joins late. */
  left({ resume, phase }: Subscription, channel: string, last: Order): void {
    const mark = this.#mark(this.#epoch, channel);
    if (!resume?.marks.has(mark)) return;
    resume.marks = new Set([...resume.marks].filter((each) => each !== mark));
    resume.ahead.set(mark, later(resume.ahead.get(mark), phase === 'live' ? last : resume.high));
  }

  /** @returns whether a connection that comes back has got an entry already */
  hasIt({ resume, subscriber }: Subscription, { entry, order }: Slot, epoch: string): boolean {
    if (!resume || resume.ahead.size === 0) return false;
    return entry.targets.some((target) => {
      const high = resume.ahead.get(this.#mark(epoch, target.channel));
      return high !== undefined && compareOrder(order, high) <= 0 && this.#recipients.passes(entry, target, subscriber.connection);
    });
  }

  /** @returns what a connection has got behind its position, once it has got the entry at a place; `undefined` for nothing, and for more than is told */
  aheadAt({ resume }: Subscription, order: Order): Ahead | undefined {
    if (!resume || resume.marks.size > MAX_MARKS || resume.ahead.size > MAX_MARKS) return undefined;
    const ahead = new Map(resume.ahead);
    for (const mark of resume.marks) ahead.set(mark, later(ahead.get(mark), order));
    return ahead;
  }

  #mark(epoch: string, channel: string): string {
    if (epoch !== this.#epoch || this.#marks.size > MOST_KNOWN) this.#marks.clear();
    this.#epoch = epoch;
    let mark = this.#marks.get(channel);
    if (mark === undefined) this.#marks.set(channel, (mark = channelMark(epoch, channel)));
    return mark;
  }
}

function later(a: Order | undefined, b: Order): Order {
  return a !== undefined && compareOrder(a, b) > 0 ? a : b;
}

import { Membership } from '../channel/membership.ts';
import { eventName, type EventEntry } from '../log/event-entry.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Order } from '../log/position.ts';
import type { ChannelsSettings } from '../settings.ts';
import { Batch } from './batch.ts';
import { offsetText, type Offset } from './offset.ts';
import { placeOf, type Place } from './place-of.ts';
import { Reaching } from './reaching.ts';
import { Recipients } from './recipients.ts';
import { Resumption } from './resumption.ts';
import { Ring, type Slot } from './ring.ts';
import { Sending, type Failed } from './sending.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscription } from './subscription.ts';

/** How often connections that get no events are told a position, in the age of the window. */
const MARKS_PER_WINDOW = 4;

/** Brings the entries of the log to the connections of this process: at once, or from the window to those that lag behind or come back. */
export class Hub {
  readonly membership: Membership;
  readonly log: EventLog;
  readonly #settings: ChannelsSettings;
  readonly #sending: Sending;
  readonly #recipients: Recipients;
  readonly #resumption: Resumption;
  readonly #subscriptions = new Map<object, Subscription>();
  /** Connections that are logged in; some log in before they are open. */
  readonly #loggedIn = new WeakSet<object>();
  readonly #reaching = new Reaching();
  #epoch: string;
  #ring: Ring;
  #marked: Order;
  #marking: NodeJS.Timeout | undefined;

  /** @param failed told of filters and transports that throw */
  constructor(settings: ChannelsSettings, failed: (error: unknown, event: Failed) => void) {
    const { log, window } = settings;
    this.#settings = settings;
    this.#sending = new Sending(failed);
    this.log = log;
    this.#epoch = log.epoch;
    this.#ring = new Ring(window, log.latest);
    this.#marked = log.latest;
    this.membership = new Membership((connection, channel, change) => {
      const subscription = this.#subscriptions.get(connection);
      subscription?.noteChange(channel, change, this.#ring.head);
      if (change === 'joined') this.#joined(subscription);
      else if (subscription) this.#resumption.left(subscription, channel, this.#ring.last);
    });
    this.#recipients = new Recipients(this.membership, failed);
    this.#resumption = new Resumption(this.membership, this.#recipients);
  }

  /** Brings an entry of the log to its connections. */
  receive(entry: EventEntry, order: Order): void {
    this.#fanOut(this.#ring.push(entry, order));
    this.#reaching.reached(order);
  }

  /** Notes that the log has come to a place without an entry. */
  pass(order: Order): void {
    this.#ring.pass(order);
    this.#reaching.reached(order);
  }

  /**
   * Waits until this process has read as far as another one had when it told a client its position; to be awaited before {@link canResume}.
   *
   * @returns `undefined` where there is nothing to wait for, or too many wait already; what does not come in time is not known here
   */
  reach(text: unknown): Promise<void> | undefined {
    const unread = this.log.start && this.#placeOf(text)?.unread;
    return unread && this.#reaching.wait(unread, this.#settings.catchUp);
  }

  /** Begins a window anew: positions of before mean nothing. Connections are closed; their clients are told when they come back. */
  beginAnew(epoch: string): void {
    this.#epoch = epoch;
    this.#ring = new Ring(this.#settings.window, this.log.latest);
    this.#marked = this.log.latest;
    for (const { subscriber } of [...this.#subscriptions.values()]) subscriber.close('events lost');
  }

  /** @returns whether a client that tells this offset can be given all that it missed */
  canResume(offset: unknown): boolean {
    return this.#placeOf(offset)?.number !== undefined;
  }

  /**
   * Takes a connection in. One that comes back with an offset gets nothing before {@link ready} was called and it has logged in again, if it
   * was; then what it missed in the channels that it is in by then, and after that what comes.
   *
   * @param offset as the client tells it
   * @param mayResume whether it has not been told yet that it does not
   * @returns whether it resumes; if not, the client has to be told
   */
  open(subscriber: Subscriber, offset?: unknown, mayResume = true): boolean {
    const subscription = new Subscription(subscriber);
    this.membership.begin(subscriber.connection);
    subscription.loggedIn = this.#loggedIn.has(subscriber.connection);
    this.#subscriptions.set(subscriber.connection, subscription);
    const place = this.#placeOf(offset);
    const number = mayResume ? place?.number : undefined;
    subscription.from = place?.unread;
    if (place && number !== undefined) this.#hold(subscription, place.offset, number);
    else this.#mark([subscription]);
    this.#marking ??= setInterval(this.#markAll, this.#settings.window.milliseconds / MARKS_PER_WINDOW).unref();
    return number !== undefined;
  }

  /** Says that a connection has joined what it joins at its start. */
  ready(connection: object): void {
    const subscription = this.#subscriptions.get(connection);
    if (subscription?.phase === 'holding' && !subscription.awaitsLogin) this.#release(subscription);
  }

  /** Says that a connection was logged in or out: what it is told from now on says so. {@link loginReady} follows a login. */
  setLogin(connection: object, loggedIn: boolean): void {
    if (loggedIn) this.#loggedIn.add(connection);
    else this.#loggedIn.delete(connection);
    const subscription = this.#subscriptions.get(connection);
    if (!subscription) return;
    const isNews = subscription.loggedIn !== loggedIn;
    subscription.loggedIn = loggedIn;
    // It has to say the next time that it waits for its login.
    if (isNews && subscription.phase === 'live') this.#mark([subscription]);
  }

  /** Says that those that listen to a login have changed the channels of its connection. */
  loginReady(connection: object): void {
    const subscription = this.#subscriptions.get(connection);
    if (!subscription?.awaitsLogin) return;
    subscription.awaitsLogin = false;
    if (subscription.phase === 'holding') this.#release(subscription);
    else this.#settleLater(subscription);
  }

  /** Takes a connection out of all channels and sends it nothing more. */
  close(connection: object): void {
    this.membership.end(connection);
    this.#subscriptions.get(connection)?.end();
    this.#subscriptions.delete(connection);
    if (this.#subscriptions.size > 0) return;
    clearInterval(this.#marking);
    this.#marking = undefined;
  }

  #placeOf(text: unknown): Place | undefined {
    return this.#settings.resume ? placeOf(text, this.#epoch, this.#ring) : undefined;
  }

  #hold(subscription: Subscription, { order, loggedIn, ahead }: Offset, number: number): void {
    subscription.phase = 'holding';
    subscription.cursor = number;
    subscription.awaitsLogin = loggedIn && !subscription.loggedIn;
    subscription.resume = { low: order, number, ahead: new Map(ahead), high: order, marks: new Set(), isOver: false };
    subscription.after(this.#settings.catchUp, () => {
      this.#release(subscription);
    });
  }

  #release(subscription: Subscription): void {
    subscription.phase = 'behind';
    this.#settleLater(subscription);
    this.#serve(subscription);
  }

  #settleLater(subscription: Subscription): void {
    subscription.after(this.#settings.catchUp, () => {
      this.#settle(subscription);
    });
  }

  /**
   * Ends the time in which a connection catches up, once it has what it missed. One that was logged in may still log in: as long as what it missed as that
   * user is kept it would get it, and then it is told.
   */
  #settle(subscription: Subscription): void {
    const { resume, awaitsLogin, subscriber } = subscription;
    if (!resume) return;
    if (!awaitsLogin) {
      resume.isOver = true;
      if (subscription.phase === 'live') this.#live(subscription);
    } else if (this.#ring.numberAt(resume.low) === undefined) subscriber.close('events lost');
    else this.#settleLater(subscription);
  }

  #live(subscription: Subscription): void {
    subscription.caughtUp();
    this.#mark([subscription]);
  }

  /** What a channel has had since the connection was cut comes when it is joined again, if that is soon. */
  #joined(subscription: Subscription | undefined): void {
    if (!subscription?.resume || subscription.resume.isOver || subscription.phase === 'holding') return;
    this.#resumption.joinedLate(subscription, this.#ring.last);
    // Channels are mostly joined several at a time: their entries come in one order then.
    queueMicrotask(() => {
      this.#serve(subscription);
    });
  }

  #fanOut(slot: Slot): void {
    const batch = new Batch();
    const { maxBuffer } = this.#settings;
    this.#recipients.each(slot.entry, (connection, text) => {
      const subscription = this.#subscriptions.get(connection);
      if (subscription?.phase !== 'live' || subscription.hasLeft(slot.order)) return;
      const { subscriber, loggedIn, resume } = subscription;
      if (subscriber.queued > maxBuffer) this.#fallBehind(subscription, slot.number - 1);
      else if (resume) {
        this.#sendOne(subscription, slot, text);
        resume.high = slot.order;
      } else batch.add(subscriber, text, loggedIn);
    });
    this.#sending.sendAll(slot.entry, batch, eventName(slot.entry), (loggedIn) => this.#position(slot.order, loggedIn));
  }

  #fallBehind(subscription: Subscription, number: number): void {
    subscription.phase = 'behind';
    subscription.cursor = number;
    this.#waitForReader(subscription);
  }

  #waitForReader(subscription: Subscription): void {
    subscription.lagging(this.#settings.lagTimeout, () => {
      subscription.subscriber.close('slow consumer');
    });
    subscription.subscriber.whenDrained(() => {
      this.#serve(subscription);
    });
  }

  /** Sends what the window has for a connection, as much as it takes; once that is all, it is live. */
  #serve(subscription: Subscription): void {
    const { subscriber } = subscription;
    if (subscription.phase !== 'behind') return;
    if (subscription.cursor < this.#ring.oldest - 1) {
      subscriber.close('slow consumer');
      return;
    }
    this.#resumption.begin(subscription, this.#epoch);
    for (const slot of this.#resumption.missed(subscription, this.#ring, this.#epoch)) {
      if (subscriber.queued > this.#settings.maxBuffer) {
        this.#waitForReader(subscription);
        return;
      }
      this.#sendSlot(subscription, slot);
    }
    subscription.cursor = this.#ring.head;
    this.#live(subscription);
  }

  #sendSlot(subscription: Subscription, slot: Slot): void {
    const wasAway = (channel: string): boolean => subscription.absence.has(channel, slot.number);
    const text = this.#recipients.textFor(slot.entry, subscription.subscriber.connection, wasAway);
    if (text !== undefined && !this.#resumption.hasIt(subscription, slot, this.#epoch)) this.#sendOne(subscription, slot, text);
    subscription.cursor = slot.number;
    if (subscription.resume) subscription.resume.high = slot.order;
  }

  #sendOne(subscription: Subscription, slot: Slot, text: string): void {
    const { subscriber } = subscription;
    const position = this.#positionOf(subscription, slot.order);
    this.#sending.send(slot.entry, { name: eventName(slot.entry), text, position }, subscriber);
  }

  /** Also while nothing comes for it a connection has to know a position that is in the window. */
  readonly #markAll = (): void => {
    const { last } = this.#ring;
    if (last === this.#marked) return;
    this.#marked = last;
    this.#mark([...this.#subscriptions.values()].filter(({ phase }) => phase === 'live'));
  };

  #mark(subscriptions: readonly Subscription[]): void {
    const { last } = this.#ring;
    const positions = subscriptions.flatMap((subscription): [Subscriber, string][] => {
      const position = this.#positionOf(subscription, last);
      return position === undefined ? [] : [[subscription.subscriber, position]];
    });
    this.#sending.mark(positions);
  }

  #position(order: Order, loggedIn: boolean): string | undefined {
    return this.#settings.resume ? offsetText({ epoch: this.#epoch, order, loggedIn }) : undefined;
  }

  #positionOf(subscription: Subscription, order: Order): string | undefined {
    const { resume, awaitsLogin, from } = subscription;
    const loggedIn = subscription.loggedIn || awaitsLogin;
    if (!resume) return this.#position(from && subscription.hasLeft(order) ? from : order, loggedIn);
    return offsetText({ epoch: this.#epoch, order: resume.low, loggedIn, ahead: this.#resumption.aheadAt(subscription, order) });
  }
}

import { defaultServiceEvents, isThenable, isUnpublished, type HookContext } from '@framework/core';
import { Channel } from '../channel/channel.ts';
import type { Membership } from '../channel/membership.ts';
import { eventName, type EventEntry, type Target } from '../log/event-entry.ts';
import type { EventLog, LogEntry } from '../log/event-log.ts';
import { Backlog } from './backlog.ts';
import { jsonText, payloadText } from './payload.ts';
import { Publishers, type Published, type Publisher } from './publishers.ts';

/** An event of a service, on its way to the log. */
export interface Emitted {
  /** The registered service. */
  readonly service: object;
  /** Path of the service, as clients know it. */
  readonly path: string;
  readonly event: string;
  readonly record: unknown;
  /** Hook context of the call; `undefined` for what the service has sent by itself. */
  readonly context: HookContext | undefined;
  /** What the service has emitted behind the record by itself: its publishers are to know it. */
  readonly given?: object;
}

/** Makes plain data of entries. */
export interface Outgoing {
  outgoing(entry: EventEntry): LogEntry;
  /** Told of an entry that was not stored. */
  dropped(entry: LogEntry): void;
}

/** What publishers may take, and what they publish to. */
interface PublishingSettings {
  /** Milliseconds that a publisher may take. */
  readonly timeout: number;
  /** Bytes of a service's events that may wait for publishers. */
  readonly maxBytes: number;
  /** Channels of other applications are published to there. */
  readonly membership: Membership;
}

/** Of the services of all applications: one that two of them have is as confidential in both. */
const ofServices = new WeakMap<object, Publishers>();

/** Asks the publishers, and puts what they publish into the log in the order in which it was emitted. */
export class Publishing {
  /** Publishers for all services. */
  readonly ofApplication: Publishers = new Publishers();
  readonly #app: object;
  readonly #log: Required<Pick<EventLog, 'append' | 'watched'>>;
  readonly #outgoing: Outgoing;
  readonly #settings: PublishingSettings;
  /** Which events calls have stored themselves. Listeners may send others by the context of the call. */
  readonly #stored = new WeakMap<object, Set<string>>();
  /** What of each service is not in the log yet. */
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #backlogs = new Map<string, Backlog>();

  /** @param outgoing makes plain data of entries */
  constructor(app: object, log: Required<Pick<EventLog, 'append' | 'watched'>>, outgoing: Outgoing, settings: PublishingSettings) {
    this.#app = app;
    this.#log = log;
    this.#outgoing = outgoing;
    this.#settings = settings;
  }

  /** Settles when all publishers have answered that were asked before. */
  get idle(): Promise<unknown> {
    return Promise.all(this.#waiting.values());
  }

  /** @returns the publishers of one service */
  of(service: object): Publishers {
    const known = ofServices.get(service);
    if (known) return known;
    const publishers = new Publishers();
    ofServices.set(service, publishers);
    return publishers;
  }

  /** @returns what decides who gets an event of a service: its own publisher, or else that of the application; `undefined` where nobody gets it */
  publisherOf(service: object, event: string): { readonly level: 'application' | 'service'; readonly publisher: Publisher } | undefined {
    const own = ofServices.get(service);
    const ofService = isUnpublished(service) ? own?.named(event) : own?.find(event);
    if (ofService) return { level: 'service', publisher: ofService };
    const ofAll = isUnpublished(service) ? undefined : this.ofApplication.find(event);
    return ofAll && { level: 'application', publisher: ofAll };
  }

  /**
   * Publishes an event to the channels that its publisher names: that of the service for the event, for all its events, of the application for
   * the event, for all. Without one nobody gets it.
   *
   * @returns `undefined` when it is in the log already, else settles when it is; rejects with what publisher or log fail with
   * @throws what the publisher fails with at once, and Error where too much waits for publishers
   */
  publish(emitted: Emitted): Promise<void> | undefined {
    if (this.#isTold(emitted)) return undefined;
    if (emitted.context && this.#stored.get(emitted.context)?.has(eventName(emitted))) return undefined;
    const publisher = this.publisherOf(emitted.service, emitted.event)?.publisher;
    if (!publisher) return undefined;
    const before = this.#waiting.get(emitted.path);
    const ask = (): Published | Promise<Published> => this.#ask(publisher, emitted);
    const first = before ? undefined : { asked: ask() };
    if (first && !isThenable(first.asked)) return this.#append(emitted, first.asked, () => textOf(emitted));
    // What cannot be text is told of at once, and the answer is waited for by nobody then.
    Promise.resolve(first?.asked).catch(ignore);
    // The record may be changed by then.
    const text = textOf(emitted);
    const counted = this.#backlogOf(emitted.path).add(Buffer.byteLength(text), eventName(emitted));
    const handed = (before ?? Promise.resolve()).then(async () => {
      const published = await this.#within(first ? first.asked : ask(), emitted);
      return { stored: this.#append(emitted, published, () => text) };
    });
    // Those behind it wait for their turn, not for the log: that keeps their order.
    this.#wait(emitted.path, handed.finally(counted));
    return handed.then(({ stored }) => stored);
  }

  /**
   * Makes the entries of a call that stores them itself, together with what it writes; {@link publish} does nothing for them then.
   *
   * @param call events of one call, in their order
   * @throws what the publisher fails with
   */
  async entriesOf(context: HookContext, call: readonly Emitted[]): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    const stored = this.#stored.get(context) ?? new Set();
    for (const emitted of call) {
      stored.add(eventName(emitted));
      const publisher = this.#isTold(emitted) ? undefined : this.publisherOf(emitted.service, emitted.event)?.publisher;
      if (!publisher) continue;
      const targets = this.#targetsOf(await this.#within(this.#ask(publisher, emitted), emitted), emitted);
      if (targets.length > 0) entries.push(this.#outgoing.outgoing(entryOf(emitted, textOf(emitted), targets)));
    }
    this.#stored.set(context, stored);
    return entries;
  }

  /**
   * Asks the publisher about an event that was published elsewhere: it gets the record as everybody may see it, and a context that says `remote`.
   *
   * @throws what the publisher fails with
   */
  async republish(emitted: Emitted): Promise<readonly Target[]> {
    const publisher = this.publisherOf(emitted.service, emitted.event)?.publisher;
    return publisher ? this.#targetsOf(await this.#within(this.#ask(publisher, emitted, true), emitted), emitted) : [];
  }

  /** Whether the log tells it by itself, as a change of what it watches. */
  #isTold({ path, event }: Emitted): boolean {
    return this.#log.watched.includes(path) && defaultServiceEvents.includes(event);
  }

  #ask(publisher: Publisher, emitted: Emitted, remote = false): Published | Promise<Published> {
    const context = this.#contextOf(emitted);
    return Reflect.apply(publisher, this.#app, [emitted.record, remote ? { ...context, remote } : context]) as Published;
  }

  #backlogOf(path: string): Backlog {
    const known = this.#backlogs.get(path);
    if (known) return known;
    const backlog = new Backlog(this.#settings.maxBytes);
    this.#backlogs.set(path, backlog);
    return backlog;
  }

  #wait(path: string, done: Promise<unknown>): void {
    const settled = done.then(ignore, ignore).then(() => {
      if (this.#waiting.get(path) === settled) this.#waiting.delete(path);
    });
    this.#waiting.set(path, settled);
  }

  #append(emitted: Emitted, published: Published, text: () => string): Promise<void> | undefined {
    const targets = this.#targetsOf(published, emitted);
    if (targets.length === 0) return undefined;
    const entry = this.#outgoing.outgoing(entryOf(emitted, text(), targets));
    return this.#log.append([entry]).catch((error: unknown) => {
      this.#outgoing.dropped(entry);
      throw error;
    });
  }

  /** A publisher that never answers would hold up all that comes after it. */
  async #within(asked: Published | Promise<Published>, { path, event }: Emitted): Promise<Published> {
    const { timeout } = this.#settings;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`The publisher of '${path} ${event}' took longer than ${timeout} ms: nobody got the event`));
      }, timeout).unref();
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #contextOf({ context, service, path, event, record, given }: Emitted): object {
    return context ?? { app: this.#app, service, path, event, result: record, ...given };
  }

  /**
   * What is sent in place of the payload is made ready once, for all channels that get it.
   *
   * @throws Error for what the application's own publisher gives of another one: what a service is published to there, its publisher says there too
   */
  #targetsOf(published: Published, { service, event }: Emitted): Target[] {
    const texts = new Map<unknown, string>();
    return channelsIn(published).flatMap((channel) => {
      const parts = Channel.partsOf(channel, this.#settings.membership);
      if (!parts && !ofServices.get(service)?.find(event)) throw new Error(OTHER_APPLICATION);
      return (parts ?? []).map(({ name, data, filter }) => {
        if (data === undefined) return { channel: name, filter };
        const text = texts.get(data) ?? jsonText(data);
        texts.set(data, text);
        return { channel: name, filter, text };
      });
    });
  }
}

const OTHER_APPLICATION =
  'A publisher of app.publish() gave a channel of another application, which has connections of its own: publish to channels of the same application';

function entryOf({ path, event }: Emitted, text: string, targets: readonly Target[]): EventEntry {
  return { path, event, text, targets, at: Date.now() };
}

function textOf({ service, event, record, context }: Emitted): string {
  return payloadText(service, event, record, context);
}

/** @throws TypeError for what is no channel */
function channelsIn(published: unknown): Channel[] {
  if (published instanceof Channel) return [published];
  const given: unknown[] = [published].flat(Infinity);
  const promises = given.filter(isThenable);
  // Nobody waits for them: one that rejects would end the process.
  for (const promise of promises) Promise.resolve(promise).catch(ignore);
  if (promises.length > 0) throw new TypeError(PROMISE_IN_LIST);
  return given.filter((one) => one !== undefined && one !== null && one !== false).map(checkedChannel);
}

const PROMISE_IN_LIST =
  'A publisher gave a list with a promise in it, which nobody waits for: give a promise of the list, as await Promise.all([…])';

function checkedChannel(given: unknown): Channel {
  if (given instanceof Channel) return given;
  throw new TypeError(`A publisher gives channels, a list of them, or nothing, and gave ${typeof given}`);
}

function ignore(): void {
  // Who emitted is told.
}

import { likelyMeant, type EventRecordOf, type HookContext, type RecordEvent } from '@framework/core';
import type { Channel } from '../channel/channel.ts';

/** What a publisher may give. */
export type Published = Channel | null | undefined | false | readonly Published[];

/**
 * Decides who gets an event.
 *
 * @param data the record, or one of them when a call has written several; of events with other data a publisher says what it is
 * @param context the hook context of the call; for events that a service has sent by itself only `app`, `service`, `path`, `event`, `result`
 *
 * @typeParam E the event; of those that the framework sends itself it is known what comes with them
 */
export type Publisher<A = unknown, S = unknown, E extends RecordEvent = RecordEvent> = {
  // Method form: a publisher for any service may be used on a certain one.
  bivariant(data: EventRecordOf<S, E>, context: HookContext<A, S>): Published | Promise<Published>;
}['bivariant'];

/** Stands for all events. */
const ALL = Symbol('all events');

/** The publishers of one service, or of an application. The last one for an event counts. */
export class Publishers {
  readonly #byEvent = new Map<string | symbol, Publisher>();

  /**
   * @param args an event and a publisher, or a publisher for all events
   * @param known events of the service; `undefined` for those of an application, whose services may have any
   * @throws TypeError for what is no publisher, Error for an event that the service does not have
   */
  add(args: readonly unknown[], known: readonly string[] | undefined): void {
    const [event, publisher] = args.length > 1 ? args : [ALL, args[0]];
    if (!isPublisher(publisher)) throw new TypeError('A publisher is a function: publish(fn), or publish(event, fn)');
    if (typeof event !== 'string' && event !== ALL) throw new TypeError('The event of publish(event, fn) has to be its name');
    if (typeof event === 'string' && known?.includes(event) === false) {
      throw new Error(
        `'${event}' is not a valid service event.${likelyMeant(event, known)} The service has ${known.join(', ')}; ` +
          `others are named by the option 'events' of app.use`,
      );
    }
    this.#byEvent.set(event, publisher);
  }

  /**
   * @param known events of all services
   * @throws Error for a publisher that would never be asked
   */
  checkEvents(known: ReadonlySet<string>): void {
    for (const event of this.#byEvent.keys()) {
      if (typeof event !== 'string' || known.has(event)) continue;
      throw new Error(
        `app.publish() has a publisher of '${event}', and no service has such an event.${likelyMeant(event, known)} ` +
          `Events of one's own are named by the option 'events' of app.use, before app.setup()`,
      );
    }
  }

  /** @returns the publisher of an event, or else that of all events */
  find(event: string): Publisher | undefined {
    return this.named(event) ?? this.#byEvent.get(ALL);
  }

  /** @returns the publisher of an event, and not that of all events */
  named(event: string): Publisher | undefined {
    return this.#byEvent.get(event);
  }
}

function isPublisher(value: unknown): value is Publisher {
  return typeof value === 'function';
}

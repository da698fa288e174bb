import type { HookContext } from '@framework/core';
import { Channel } from '../channel/channel.ts';
import type { EventLog, Target } from '../log/event-log.ts';
import { jsonText, payloadText } from './payload.ts';
import { Publishers, type Published } from './publishers.ts';

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
}

/** Asks the publishers, and puts what they publish into the log in the order in which it was emitted. */
export class Publishing {
  /** Publishers for all services. */
  readonly ofApplication: Publishers = new Publishers();
  readonly #ofServices = new WeakMap<object, Publishers>();
  readonly #app: object;
  readonly #log: EventLog;
  readonly #timeout: number;
  /** What of each service is not in the log yet. */
  readonly #waiting = new Map<string, Promise<void>>();

  /** @param timeout milliseconds that a publisher may take */
  constructor(app: object, log: EventLog, timeout: number) {
    this.#app = app;
    this.#log = log;
    this.#timeout = timeout;
  }

  /** @returns the publishers of one service */
  of(service: object): Publishers {
    const known = this.#ofServices.get(service);
    if (known) return known;
    const publishers = new Publishers();
    this.#ofServices.set(service, publishers);
    return publishers;
  }

  /**
   * Publishes an event to the channels that its publisher names: that of the service for the event, for all its events, of the application for
   * the event, for all. Without one nobody gets it.
   *
   * @returns `undefined` when it is in the log already, else settles when it is; rejects with what publisher or log fail with
   */
  publish(emitted: Emitted): Promise<void> | undefined {
    const publisher = this.#ofServices.get(emitted.service)?.find(emitted.event) ?? this.ofApplication.find(emitted.event);
    if (!publisher) return undefined;
    const before = this.#waiting.get(emitted.path);
    const ask = (): Published | Promise<Published> =>
      Reflect.apply(publisher, this.#app, [emitted.record, this.#contextOf(emitted)]) as Published;
    const first = before ? undefined : { asked: ask() };
    // The record may be changed by then.
    if (first && !isThenable(first.asked)) return this.#append(emitted, first.asked, () => textOf(emitted));
    const text = textOf(emitted);
    const done = (before ?? Promise.resolve()).then(async () => {
      const published = await this.#within(first ? first.asked : ask(), emitted);
      await this.#append(emitted, published, () => text);
    });
    this.#wait(emitted.path, done);
    return done;
  }

  #wait(path: string, done: Promise<void>): void {
    const settled = done.then(ignore, ignore).then(() => {
      if (this.#waiting.get(path) === settled) this.#waiting.delete(path);
    });
    this.#waiting.set(path, settled);
  }

  #append({ path, event }: Emitted, published: Published, text: () => string): Promise<void> | undefined {
    const targets = targetsOf(published);
    return targets.length === 0 ? undefined : this.#log.append([{ path, event, text: text(), targets, at: Date.now() }]);
  }

  /** A publisher that never answers would hold up all that comes after it. */
  async #within(asked: Published | Promise<Published>, { path, event }: Emitted): Promise<Published> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`The publisher of '${path} ${event}' took longer than ${this.#timeout} ms: nobody got the event`));
      }, this.#timeout).unref();
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #contextOf({ context, service, path, event, record }: Emitted): object {
    return context ?? { app: this.#app, service, path, event, result: record };
  }
}

function textOf({ service, record, context }: Emitted): string {
  return payloadText(service, record, context);
}

/** What is sent in place of the payload is made ready once, for all channels that get it. */
function targetsOf(published: Published): Target[] {
  const texts = new Map<unknown, string>();
  return channelsIn(published).flatMap((channel) =>
    Channel.partsOf(channel).map(({ name, data, filter }) => {
      if (data === undefined) return { channel: name, filter };
      const text = texts.get(data) ?? jsonText(data);
      texts.set(data, text);
      return { channel: name, filter, text };
    }),
  );
}

/** @throws TypeError for what is no channel */
function channelsIn(published: unknown): Channel[] {
  if (published === undefined || published === null || published === false) return [];
  if (published instanceof Channel) return [published];
  if (Array.isArray(published)) return published.flatMap(channelsIn);
  throw new TypeError(`A publisher gives channels, a list of them, or nothing, and gave ${typeof published}`);
}

function isThenable(value: unknown): value is Promise<Published> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function ignore(): void {
  // Who emitted is told.
}

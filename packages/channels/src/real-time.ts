import { announceStart, defaultServiceEvents, getServiceOptions, reportListenerError, settingUp, type HookContext } from '@framework/core';
import { unavailable } from '@framework/errors';
import { Channel } from './channel/channel.ts';
import type { Part } from './channel/channel.ts';
import { Hub } from './delivery/hub.ts';
import { Entrance } from './log/entrance.ts';
import type { Gate } from './log/gate.ts';
import { Gathering } from './log/gathering.ts';
import type { LogEntry } from './log/event-log.ts';
import { Intake } from './log/intake.ts';
import { addPublish } from './publishing/add-publish.ts';
import { DurableServices, isDurable, makeDurable } from './publishing/durable.ts';
import { jsonText, shown } from './publishing/payload.ts';
import { Publishing, type Emitted } from './publishing/publishing.ts';
import type { ChannelsSettings } from './settings.ts';
import { LoginWatch } from './login-watch.ts';

/** Milliseconds in which publishers have to answer, and a log has to take what waits for it and to end, when the application ends. */
const END_TIME = 5000;

/** What channels need of an application. */
export interface ChannelsApplication {
  readonly services: object;
  readonly mixins: ((service: object, path: string) => void)[];
  emit(event: string, ...args: unknown[]): boolean;
  on(event: string, listener: (...args: never[]) => void): unknown;
  prependListener(event: string, listener: (...args: never[]) => void): unknown;
  rawListeners(event: string): readonly unknown[];
  setup: (...args: unknown[]) => Promise<unknown>;
  teardown: (...args: unknown[]) => Promise<unknown>;
}

/** Which event an error belongs to. */
interface EventName {
  readonly path: string;
  readonly event: string;
}

/** The real-time part of an application: its channels, who publishes to them, and the connections that events are brought to. */
export class RealTime {
  readonly hub: Hub;
  readonly publishing: Publishing;
  readonly settings: ChannelsSettings;
  readonly #app: ChannelsApplication;
  readonly #intake: Intake;
  readonly #gathering: Gathering;
  /** Services whose writes and events are one. */
  readonly #durable: DurableServices;
  readonly #entrance: Entrance;
  /** The log, once it was begun: that happens once, however many servers are set up. */
  #begun: Promise<void> | undefined;
  /** The same, until that has ended. */
  #starting: Promise<void> | undefined;
  /** The last end of the log, which is not begun again before. */
  #ended: Promise<void> = Promise.resolve();
  readonly #attached = new WeakMap<object, Set<string>>();

  constructor(app: ChannelsApplication, settings: ChannelsSettings) {
    this.#app = app;
    this.settings = settings;
    this.hub = new Hub(settings, (error, { path, event }) => {
      this.#report(error, { path, event });
    });
    // Also where no window is wanted, some events come while a publisher is asked.
    const maxBytes = Math.max(settings.window.bytes, settings.maxBuffer);
    this.#intake = new Intake({
      deliver: (entry, order) => {
        this.hub.receive(entry, order);
      },
      passed: (order) => {
        this.hub.pass(order);
      },
      lost: (epoch) => {
        this.hub.beginAnew(epoch);
      },
      republish: async ({ path, event }, record) => {
        const service = this.#serviceAt(path);
        return service ? this.publishing.republish({ service, path, event, record, context: undefined }) : [];
      },
      textOf: (path, record) => jsonText(shown(this.#serviceAt(path) ?? {}, record)),
      failed: (error, { path, event }) => {
        this.#report(error, { path, event });
      },
      unread: (cause) => {
        this.#reportLog('be read from', cause);
      },
      unstored: (cause) => {
        this.#reportLog('be stored in', cause);
      },
      maxBytes,
    });
    const { log } = settings;
    this.#durable = new DurableServices(log);
    this.#gathering = new Gathering({ milliseconds: log.gather, maxBytes: settings.window.bytes }, (entries) => log.append(entries));
    const { membership } = this.hub;
    const target = { append: (entries: readonly LogEntry[]) => this.#gathering.add(entries), watched: log.watched ?? [] };
    this.publishing = new Publishing(app, target, this.#intake, { timeout: settings.publishTimeout, maxBytes, membership });
    settings.log.read(this.#intake);
    this.#entrance = new Entrance(settings.log.start !== undefined);
    new LoginWatch(this.hub, app).listen();
  }

  /**
   * Settles when the log tells events and services are set up, for transports, which take no connections in before: an authentication service would not follow
   * their logins. Rejects with what has failed of that. An application that nobody sets up takes them in as it is, unless its log has to start.
   */
  get started(): Promise<void> {
    return this.#whenStarted();
  }

  async #whenStarted(): Promise<void> {
    await this.#entrance.opened;
    await settingUp(this.#app);
  }

  /**
   * Starts the log, has services set up, and takes connections in.
   *
   * @param setUp sets services up
   * @returns what that gives
   * @throws what keeps the log, or that, from it; Error for services that can not be what the log or their options say, and for a publisher of an event that
   *   no service has
   */
  start<T>(setUp: () => Promise<T>): Promise<T> {
    const start = this.#entrance.openBehind((gate) => this.#startLog(gate)).then(setUp);
    announceStart(this.#app, start);
    return start;
  }

  async #startLog(gate: Gate): Promise<void> {
    const { log } = this.settings;
    try {
      this.publishing.ofApplication.checkEvents(this.#events());
      for (const path of log.watched ?? []) {
        if (!this.#serviceAt(path)) throw new Error(`The log watches for '${path}' and no service is there: register it, or do not watch`);
      }
      await (this.#begun ??= this.#begin());
      await this.#durable.checkAll((path, service) => this.#serviceAt(path) === service);
    } catch (error) {
      gate.fail(error);
      // What was begun before goes on for those that it was begun for, and what was ended meanwhile may begin again.
      if (gate.isFailed && this.#entrance.has(gate)) await this.#endLog();
      throw error;
    }
  }

  /** Ends the log, with what waits for it; for publishers that do not answer, and a log that can not be reached, it does not wait without end. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, END_TIME);
    });
    try {
      await Promise.race([this.publishing.idle, late]);
      await this.#gathering.end(late);
      this.#entrance.end(closedError());
      await this.#endLog(late);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Behind the last end of it. */
  #begin(): Promise<void> {
    const begun = this.#ended.then(() => {
      if (this.#begun !== begun) throw closedError();
      return this.settings.log.start?.();
    });
    const settled = (): void => {
      if (this.#starting === begun) this.#starting = undefined;
    };
    begun.then(settled, settled);
    this.#starting = begun;
    return begun;
  }

  /** @param late when it is waited for no longer; a log may have no end */
  #endLog(late?: Promise<void>): Promise<void> {
    const { log } = this.settings;
    const starting = this.#starting;
    this.#begun = this.#starting = undefined;
    this.#durable.forget();
    const end = async (): Promise<void> => {
      await log.stop?.();
      // It may have started all the same.
      await starting?.then(() => log.stop?.(), ignore);
    };
    const ended = late ? Promise.race([end(), late]) : end();
    this.#ended = ended.catch(ignore);
    return ended;
  }

  /** Names of the events of all services. */
  #events(): Set<string> {
    const services: unknown[] = Object.values(this.#app.services);
    return new Set([...defaultServiceEvents, ...services.flatMap((service) => getServiceOptions(service)?.serviceEvents ?? [])]);
  }

  #serviceAt(path: string): object | undefined {
    const service: unknown = Object.hasOwn(this.#app.services, path) ? Reflect.get(this.#app.services, path) : undefined;
    return typeof service === 'object' && service !== null ? service : undefined;
  }

  /** Names of the channels that somebody is in. */
  get channels(): string[] {
    return this.hub.membership.names;
  }

  /**
   * @param names of channels; lists of names are taken too, and an empty list, as `app.channels` is where nobody is connected, gives a channel with nobody
   * @throws Error without a name, TypeError for what is none
   */
  channel(names: readonly unknown[]): Channel {
    if (names.length === 0) throw new Error('app.channel needs at least one channel name');
    const parts = names.flat().map(partOf);
    return new Channel(this.hub.membership, parts);
  }

  /** Listens to the events of a service, and gives it `publish`. */
  attach(service: object, path: string): void {
    const options = getServiceOptions(service);
    const paths = this.#attached.get(service) ?? new Set();
    if (!options || paths.has(path)) return;
    this.#makeDurable(service, path);
    this.#attached.set(service, paths.add(path));
    addPublish(service, this.publishing.of(service), () => getServiceOptions(service)?.serviceEvents);
    const on: unknown = Reflect.get(service, 'on');
    if (typeof on !== 'function') return;
    for (const event of new Set(options.serviceEvents)) {
      Reflect.apply(on, service, [
        event,
        (record: unknown, behind: unknown) => {
          this.#publish({ service, path, event, record, ...contextIn(behind) });
        },
      ]);
    }
  }

  #makeDurable(service: object, path: string): void {
    const { log } = this.settings;
    if (!isDurable(service, path, log)) return;
    const checked = (): Promise<void> | undefined => this.#durable.check(path, service);
    makeDurable(service, path, { log, publishing: this.publishing, outgoing: this.#intake, checked });
    this.#durable.add(path, service);
  }

  /** Who emits is not to fail by a publisher: it may be the service itself. */
  #publish(emitted: Emitted): void {
    const { service, path, event } = emitted;
    if (Reflect.get(this.#app.services, path) !== service) return;
    const failed = (error: unknown): void => {
      this.#report(error, { path, event });
    };
    try {
      this.publishing.publish(emitted)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #report(error: unknown, source: EventName): void {
    reportListenerError(this.#app, error, source, `'${source.path} ${source.event}' could not be published`);
  }

  #reportLog(what: string, cause: unknown): void {
    const why = cause instanceof Error ? cause.message || nameOf(cause) : String(cause);
    const error = new Error(`Events can not ${what} their log at present, and it is tried again: ${why}`, { cause });
    reportListenerError(this.#app, error, { path: '', event: null }, error.message);
  }
}

function closedError(): Error {
  return unavailable('The application was closed before its events could be read');
}

/** Errors of drivers may have nothing but their class. */
function nameOf({ name, constructor }: Error): string {
  return name === 'Error' ? constructor.name : name;
}

function ignore(): void {
  // Who waits for it is told.
}

function partOf(name: unknown): Part {
  if (typeof name !== 'string' && typeof name !== 'number')
    throw new TypeError(`The name of a channel has to be text, and is ${typeof name}`);
  return { name: String(name), filter: undefined, data: undefined };
}

/** What was emitted behind a record: the hook context of a call, or what a service has to say to its publishers. */
function contextIn(behind: unknown): Pick<Emitted, 'context' | 'given'> {
  if (typeof behind !== 'object' || behind === null) return { context: undefined };
  return 'method' in behind && 'params' in behind ? { context: behind as HookContext } : { context: undefined, given: behind };
}

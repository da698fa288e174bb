import { getServiceOptions, type HookContext } from '@framework/core';
import { Channel } from './channel/channel.ts';
import type { Part } from './channel/channel.ts';
import { Hub } from './delivery/hub.ts';
import { Publishing, type Emitted } from './publishing/publishing.ts';
import type { Publishers } from './publishing/publishers.ts';
import type { ChannelsSettings } from './settings.ts';
import { LoginWatch } from './login-watch.ts';

/** What channels need of an application. */
export interface ChannelsApplication {
  readonly services: object;
  readonly mixins: ((service: object, path: string) => void)[];
  emit(event: string, ...args: unknown[]): boolean;
  on(event: string, listener: (...args: never[]) => void): unknown;
  prependListener(event: string, listener: (...args: never[]) => void): unknown;
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
  readonly #attached = new WeakMap<object, Set<string>>();

  constructor(app: ChannelsApplication, settings: ChannelsSettings) {
    this.#app = app;
    this.settings = settings;
    this.hub = new Hub(settings, (error, { path, event }) => {
      this.#report(error, { path, event });
    });
    this.publishing = new Publishing(app, settings.log, settings.publishTimeout);
    new LoginWatch(this.hub).listen(app);
  }

  /** Names of the channels that somebody is in. */
  get channels(): string[] {
    return this.hub.membership.names;
  }

  /**
   * @param names of channels; lists of names are taken too
   * @throws Error without a name, TypeError for what is none
   */
  channel(names: readonly unknown[]): Channel {
    const parts = names.flat().map(partOf);
    if (parts.length === 0) throw new Error('app.channel needs at least one channel name');
    return new Channel(this.hub.membership, parts);
  }

  /** Listens to the events of a service, and gives it `publish`. */
  attach(service: object, path: string): void {
    const options = getServiceOptions(service);
    const paths = this.#attached.get(service) ?? new Set();
    if (!options || paths.has(path)) return;
    this.#attached.set(service, paths.add(path));
    addPublish(service, this.publishing.of(service), () => getServiceOptions(service)?.serviceEvents);
    const on: unknown = Reflect.get(service, 'on');
    if (typeof on !== 'function') return;
    for (const event of new Set(options.serviceEvents)) {
      Reflect.apply(on, service, [
        event,
        (record: unknown, context: unknown) => {
          this.#publish({ service, path, event, record, context: isContext(context) ? context : undefined });
        },
      ]);
    }
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

  /** As errors of listeners: by the application's event `listenerError`, else by a warning of the process. */
  #report(error: unknown, source: EventName): void {
    if (this.#app.emit('listenerError', error, source)) return;
    process.emitWarning(error instanceof Error ? error : new Error(String(error)), {
      detail: `'${source.path} ${source.event}' could not be published`,
    });
  }
}

/** Gives an application or a service the functions that add publishers. */
export function addPublish(target: object, publishers: Publishers, events: () => readonly string[] | undefined): void {
  const publish = function (this: unknown, ...args: unknown[]): unknown {
    publishers.add(args, events());
    return this;
  };
  for (const name of ['publish', 'registerPublisher']) {
    Object.defineProperty(target, name, { value: publish, writable: true, configurable: true, enumerable: false });
  }
}

function partOf(name: unknown): Part {
  if (typeof name !== 'string' && typeof name !== 'number')
    throw new TypeError(`The name of a channel has to be text, and is ${typeof name}`);
  return { name: String(name), filter: undefined, data: undefined };
}

function isContext(value: unknown): value is HookContext {
  return typeof value === 'object' && value !== null && 'method' in value && 'params' in value;
}

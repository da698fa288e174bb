import { declareServiceOption, describePublishing, PackageCopy, type RecordEvent } from '@framework/core';
import type { Channel } from './channel/channel.ts';
import type { Publisher } from './publishing/publishers.ts';
import { addPublish } from './publishing/add-publish.ts';
import { isMadeDurable } from './publishing/durable.ts';
import { RealTime, type ChannelsApplication } from './real-time.ts';
import { channelsSettings, type ChannelsOptions } from './settings.ts';
import { Turns } from './turns.ts';

declare module '@framework/core' {
  interface ApplicationAddons {
    /**
     * One channel, or several as one; a channel begins with its first connection and ends with its last.
     *
     * @param names at least one
     * @throws Error without a name
     */
    channel(...names: readonly (string | number | readonly (string | number)[])[]): Channel;
    /** Names of the channels that somebody is in. */
    readonly channels: string[];
    /** Decides who gets events of services that have no publisher of their own: all events, or one. The last one given counts. */
    publish(publisher: Publisher): this;
    publish(event: string, publisher: Publisher): this;
    /** The same as `publish`. */
    registerPublisher(publisher: Publisher): this;
    registerPublisher(event: string, publisher: Publisher): this;
  }

  interface ServiceOptions {
    /**
     * Whether writing calls, all their hooks and their events are one transaction: both are stored, or neither. Needs a log of the database of the service,
     * such as `eventLog` of `@framework/adapter-docdb`; calls and hooks may run again where another transaction was in the way. Default: `false`.
     */
    durable?: boolean;
  }

  // The parameters must repeat the declaration that is added to.
  interface ServiceAddons<A, S> {
    /**
     * Decides who gets events of this service: all, or one. The last one given counts. Without a publisher nobody gets an event.
     *
     * @throws Error for an event that the service does not have
     */
    publish(publisher: Publisher<A, S>): this;
    publish<E extends RecordEvent>(event: E, publisher: Publisher<A, S, E>): this;
    publish(publisher: Publisher): this;
    publish(event: string, publisher: Publisher): this;
    /** The same as `publish`. */
    registerPublisher(publisher: Publisher<A, S>): this;
    registerPublisher<E extends RecordEvent>(event: E, publisher: Publisher<A, S, E>): this;
    registerPublisher(publisher: Publisher): this;
    registerPublisher(event: string, publisher: Publisher): this;
  }
}

declareServiceOption(
  'durable',
  (value) => (typeof value === 'boolean' ? undefined : 'has to be true or false'),
  (value, service) =>
    value === false || isMadeDurable(service) ? undefined : 'needs channels with a log of its database: channels({ log: eventLog(db) })',
);

const COPY = new PackageCopy('@framework/channels');

const applications = new WeakMap<object, RealTime>();

/**
 * Gives an application channels: `app.configure(channels())`. Transports for real-time do so by themselves; it is needed for options, and
 * then it comes before them. Wrap the application by `express(app)` first, where that is used.
 *
 * @param options what is kept for connections that come back, and for slow ones
 * @returns to be given to `app.configure`
 * @throws TypeError for unknown options, Error (from `configure`) when the application has channels already and options are given, and when
 *   another copy of this package has given it channels
 */
export function channels(options?: ChannelsOptions): (app: object) => void {
  const settings = options === undefined ? undefined : channelsSettings(options);
  return (app) => {
    if (applications.has(app)) {
      if (settings) throw new Error('The application has channels already. Configure channels(options) once, before the transports');
      return;
    }
    COPY.refuseOthers(app, 'what the application has channels by');
    const target = app as ChannelsApplication;
    const realTime = new RealTime(target, settings ?? channelsSettings({}));
    applications.set(COPY.mark(app), realTime);
    Object.defineProperties(app, {
      channel: { value: (...names: unknown[]) => realTime.channel(names), writable: true, configurable: true },
      channels: { get: () => realTime.channels, configurable: true },
    });
    describePublishing(app, (service, event) => realTime.publishing.publisherOf(service, event));
    addPublish(app, realTime.publishing.ofApplication, () => undefined);
    addStartAndEnd(target, realTime);
    for (const [path, service] of Object.entries(target.services)) realTime.attach(service as object, path);
    target.mixins.push((service, path) => {
      realTime.attach(service, path);
    });
  };
}

/** The log is there before services are set up, connections come behind that, and the log ends behind everything that may still publish. */
function addStartAndEnd(app: ChannelsApplication, realTime: RealTime): void {
  const [setup, teardown] = [app.setup.bind(app), app.teardown.bind(app)];
  const turns = new Turns();
  app.setup = async (...args): Promise<unknown> => {
    const turn = turns.begin();
    if (turn.ending) await turn.ending;
    turn.refuseEnded();
    const setUp = (): Promise<unknown> => {
      turn.refuseEnded();
      return setup(...args);
    };
    return realTime.start(setUp).catch((error: unknown) => {
      turn.refuseEnded(error);
      throw error;
    });
  };
  app.teardown = (...args): Promise<unknown> =>
    turns.end(async () => {
      try {
        return await teardown(...args);
      } finally {
        await realTime.stop();
      }
    });
}

/**
 * The real-time part of an application, for transports.
 *
 * @throws Error when the application has no channels, or has them by another copy of this package
 */
export function realTimeOf(app: object): RealTime {
  const realTime = applications.get(app);
  if (!realTime) COPY.refuseOthers(app, 'what the application has channels by');
  if (!realTime) throw new Error('The application has no channels: configure channels() first');
  return realTime;
}

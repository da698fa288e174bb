import { isFunction, type AnyFunction } from '../is-function.ts';
import { mountedApplications } from '../application/mount.ts';
import { CORE } from '../package-copy.ts';
import { getServiceOptions } from '../service/service-options.ts';

/** Key of what tells who publishes events. Copies of this package know each other's. */
const PUBLISHERS: unique symbol = Symbol.for('@framework/publishers');

/** What decides who gets an event, as tools see it. */
export interface InspectedPublisher {
  /** The event of the service. */
  readonly event: string;
  /** Where it was registered. */
  readonly level: 'application' | 'service';
  /** Name of its function; empty for a function without a name. */
  readonly name: string;
  /** The function, to tell publishers apart; it is not meant to be called. */
  readonly publisher: object;
}

/** What of an application decides who gets an event of a service; `undefined` where nobody gets it. */
export type FindsPublisher = (service: object, event: string) => Pick<InspectedPublisher, 'level' | 'publisher'> | undefined;

/**
 * Notes how an application finds who gets an event, for tools such as `@framework/audit`. What publishes events calls it when it is configured.
 *
 * @param app the application that it is configured for
 * @throws Error for an application of another copy of this package
 */
export function describePublishing(app: object, find: FindsPublisher): void {
  CORE.refuseOthers(app, 'an application');
  Object.defineProperty(app, PUBLISHERS, { value: find, configurable: true });
}

/**
 * What decides who gets the events of a service: of the application, and of those that were mounted in it with the service, which have connections of their own.
 *
 * @param app the application, or what wraps it
 * @param service a registered service
 * @returns by the order of its events; none for an event that nobody gets
 */
export function inspectPublishers(app: object, service: object): InspectedPublisher[] {
  const finding = [app, ...mountedApplications(app)].flatMap((each) => {
    const find: unknown = has(each, service) ? Reflect.get(each, PUBLISHERS) : undefined;
    return isFinding(find) ? [find] : [];
  });
  return [...new Set(getServiceOptions(service)?.serviceEvents)].flatMap((event) => {
    const found = new Map(finding.flatMap((find) => find(service, event) ?? []).map((each) => [each.publisher, each]));
    return [...found.values()].map(({ level, publisher }) => ({
      event,
      level,
      name: isFunction(publisher) ? publisher.name : '',
      publisher,
    }));
  });
}

function has(app: object, service: object): boolean {
  const services: unknown = Reflect.get(app, 'services');
  return typeof services === 'object' && services !== null && Object.values(services).includes(service);
}

function isFinding(value: unknown): value is FindsPublisher & AnyFunction {
  return isFunction(value);
}

/** Marks a service whose events are for the server alone. Copies of this package know each other's. */
const UNPUBLISHED: unique symbol = Symbol.for('@framework/unpublished');

/**
 * Says that who publishes all events does not mean those of a service, as those of a store of sessions: in each application that the service is in, and also
 * where what publishes them was added later than this was said. A publisher of the service itself that names an event is asked all the same.
 *
 * @param service a registered service
 */
export function keepUnpublished(service: object): void {
  Object.defineProperty(service, UNPUBLISHED, { value: true, configurable: true });
}

/** @returns whether {@link keepUnpublished} was said of a service */
export function isUnpublished(service: object): boolean {
  return UNPUBLISHED in service;
}

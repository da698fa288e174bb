import { functionOf } from '../is-function.ts';
import type { Registration } from './placement.ts';
import type { Params } from './service-types.ts';

/**
 * Key of what a service says of when events are told: a function that takes the parameters of a call that has ended, of any service of the application. It gives
 * `undefined` where what was done is done, or else a function that takes what tells of it: that is called once all of it is, and never where it is undone.
 * Copies of this package know each other's.
 */
export const holdsEvents: unique symbol = Symbol.for('@framework/holds-events');

/** Keeps what tells of a call, until what it did is sure. */
export type EventHold = (tell: () => void) => void;

/** @returns what keeps the events of a call; `undefined` to tell them now */
export type EventHolder = (params: Params) => EventHold | undefined;

/** @returns what a service says of when events are told */
export function eventHolderOf(service: object): EventHolder | undefined {
  // One function for all services of a class: it is not asked more than once for each call.
  return functionOf(service, holdsEvents) as EventHolder | undefined;
}

/**
 * Tells of a call now, or once it is sure.
 *
 * @param registrations where its service stands
 */
export function tellWhenSure(registrations: readonly Registration[], params: Params, tell: () => void): void {
  for (const { host } of registrations) {
    for (const holder of host.eventHolders) {
      const hold = holder(params);
      if (hold !== undefined) {
        hold(tell);
        return;
      }
    }
  }
  tell();
}

import { EventEmitter } from 'node:events';
import { CallContext } from '../hooks/call-context.ts';
import { functionOf, type AnyFunction } from '../is-function.ts';
import { tellWhenSure } from './held-events.ts';
import type { Registration } from './placement.ts';
import { defaultEventMap } from './service-options.ts';
import type { NormalizedServiceOptions } from './service-types.ts';

/** Where an event came from whose listener failed: the hook context of the call, where there was one. */
export interface EventSource {
  readonly path: string;
  readonly event: string | null;
}

/** Told of errors in listeners. */
export type ListenerErrorHandler = (error: unknown, source: EventSource) => void;

/** Whether an object can be listened to already. */
export function hasEvents(service: object): boolean {
  return functionOf(service, 'on') !== undefined && functionOf(service, 'emit') !== undefined;
}

/**
 * The members that make an object an event emitter. An error in a listener, thrown or rejected, is reported and neither fails the call
 * that emitted nor keeps the other listeners from running. What is emitted with the context of a call behind it is told once what that call did is sure, as its own
 * event is: never, where it is undone.
 *
 * @param home the first path of the service, and its application, which is told of errors
 * @param options of the service, which name its events
 * @param registrations gives where the service stands
 */
export function eventMembers(
  { path, host: { reportListenerError: report } }: Registration,
  options: Pick<NormalizedServiceOptions, 'events' | 'serviceEvents'>,
  registrations: () => readonly Registration[],
): Map<string, unknown> {
  const members = new Map<string, unknown>([
    ['_events', Object.create(null)],
    ['_eventsCount', 0],
    ['_maxListeners', undefined],
  ]);
  for (const [name, value] of Object.entries(EventEmitter.prototype)) if (!name.startsWith('_')) members.set(name, value);
  const emit = function emit(this: EventEmitter, event: string | symbol, ...args: unknown[]): boolean {
    const [, behind] = args;
    const heard = this.listenerCount(event) > 0;
    // An error that nobody listens to fails the hook that emits it, by Node's rule: what is committed it could not fail any more.
    if (!(behind instanceof CallContext) || (event === 'error' && !heard)) return emitSafely(this, event, args, path, report);
    tellWhenSure(registrations(), behind.params, () => {
      tellEach(this, event, args, path, report);
    });
    return heard;
  };
  members.set('emit', emit);
  SAFE.add(emit);
  for (const name of LISTENING) {
    const listen = EventEmitter.prototype[name];
    members.set(name, function (this: EventEmitter, event: string | symbol, listener: (...args: unknown[]) => void): EventEmitter {
      warnOfMethod(path, event, options);
      return listen.call(this, event, listener);
    });
  }
  return members;
}

/** Members by which all listeners are added: Node's others use them. */
const LISTENING = ['on', 'addListener', 'prependListener'] as const;

/** Who listens by the name of a method would hear nothing. No error: a service may emit whatever it likes. */
function warnOfMethod(
  path: string,
  name: string | symbol,
  { events, serviceEvents }: Pick<NormalizedServiceOptions, 'events' | 'serviceEvents'>,
): void {
  if (typeof name !== 'string' || !Object.hasOwn(defaultEventMap, name) || events.includes(name) || serviceEvents.includes(name)) return;
  process.emitWarning(
    `service('${path}').on('${name}') hears no call of '${name}': its event is '${String(defaultEventMap[name])}'. ` +
      `An event of that name, which the service emits itself, is named by the option 'events' of app.use`,
  );
}

/**
 * Emits the event of a finished call, once for each record of the result, by the service's own `emit`: who replaces it, or overrides it
 * in a class, sees each event.
 *
 * @param report told of errors in listeners
 * @param heard called before the first listener is: most events have nobody who listens
 */
export function emitServiceEvent(
  service: object,
  context: CallContext,
  event: string,
  report: ListenerErrorHandler,
  heard: () => void,
): void {
  const emit = functionOf(service, 'emit');
  if (emit === undefined) return;
  const plain = hasPlainEmit(service, emit);
  if (plain && service.listenerCount(event) === 0) return;
  heard();
  const results: unknown[] = Array.isArray(context.result) ? context.result : [context.result];
  for (const result of results) {
    if (plain) emitSafely(service, event, [result, context], context.path, report);
    else attempt(() => Reflect.apply(emit, service, [event, result, context]), context, report);
  }
}

/** What {@link eventMembers} has made. */
const SAFE = new WeakSet<object>();

const nativeEmit: unknown = Reflect.get(EventEmitter.prototype, 'emit');

/** Whether nobody has put an `emit` of their own in place: it needs no call then. */
function hasPlainEmit(service: object, emit: object): service is EventEmitter {
  return SAFE.has(emit) || (emit === nativeEmit && service instanceof EventEmitter);
}

function emitSafely(
  emitter: EventEmitter,
  event: string | symbol,
  args: readonly unknown[],
  path: string,
  report: ListenerErrorHandler,
): boolean {
  if (emitter.listenerCount(event) === 0) {
    // Node's rule for errors that nobody listens to.
    return event === 'error' ? EventEmitter.prototype.emit.call(emitter, event, ...args) : false;
  }
  tellEach(emitter, event, args, path, report);
  return true;
}

function tellEach(
  emitter: EventEmitter,
  event: string | symbol,
  args: readonly unknown[],
  path: string,
  report: ListenerErrorHandler,
): void {
  const source = args[1] instanceof CallContext ? args[1] : { path, event: String(event) };
  for (const listener of emitter.rawListeners(event)) attempt(() => Reflect.apply(listener, emitter, args), source, report);
}

/** Calls a listener, and reports what it throws or rejects with. */
export function attempt(listener: AnyFunction, source: EventSource, report: ListenerErrorHandler): void {
  const failed = (error: unknown): void => {
    report(error, source);
  };
  try {
    const outcome = listener();
    if (outcome instanceof Promise) outcome.catch(failed);
  } catch (error) {
    failed(error);
  }
}

import { EventEmitter } from 'node:events';
import type { MethodContext } from '../hooks/hook-context.ts';

const EMITTER_METHODS = Object.keys(EventEmitter.prototype).filter((name) => !name.startsWith('_'));

/**
 * Gives an object the methods of an event emitter, unless it has its own `on` and `emit`.
 *
 * @param service the registered service
 */
export function addEventMethods(service: object): void {
  const target = service as Record<string, unknown>;
  if (typeof target.on === 'function' && typeof target.emit === 'function') return;
  const emitter = EventEmitter.prototype as unknown as Record<string, unknown>;
  for (const name of EMITTER_METHODS) {
    Object.defineProperty(service, name, { value: emitter[name], writable: true, configurable: true });
  }
  EventEmitter.call(service as EventEmitter);
}

/** Told of errors in listeners. */
export type ListenerErrorHandler = (error: unknown, context: MethodContext) => void;

/**
 * Emits the event of a finished call, once for each record of the result. An error in a listener, thrown or rejected,
 * is reported and neither fails the call nor keeps the other listeners from running.
 */
export function emitServiceEvent(service: object, context: MethodContext, report: ListenerErrorHandler): void {
  const { event } = context;
  if (event === null) return;
  const emitter = service as Partial<EventEmitter>;
  if (emitter.listenerCount?.(event) === 0) return;
  const results: unknown[] = Array.isArray(context.result) ? context.result : [context.result];
  for (const result of results) {
    if (typeof emitter.rawListeners !== 'function') {
      attempt(() => emitter.emit?.(event, result, context), context, report);
      continue;
    }
    for (const listener of emitter.rawListeners(event)) {
      attempt(() => Reflect.apply(listener, service, [result, context]) as unknown, context, report);
    }
  }
}

function attempt(listener: () => unknown, context: MethodContext, report: ListenerErrorHandler): void {
  try {
    const outcome = listener();
    if (outcome instanceof Promise)
      outcome.catch((error: unknown) => {
        report(error, context);
      });
  } catch (error) {
    report(error, context);
  }
}

import { getServiceOptions, repeating, wrapCalls, type HookContext } from '@framework/core';
import type { EventLog, LogEntry } from '../log/event-log.ts';
import type { Emitted, Outgoing, Publishing } from './publishing.ts';

/** A log that makes calls and their events one. */
export type TransactionalLog = EventLog & Required<Pick<EventLog, 'transaction'>>;

/**
 * Tells whether a service asks for events that belong to its writes.
 *
 * @throws Error for a log that can not do it
 */
export function isDurable(service: object, path: string, log: EventLog): log is TransactionalLog {
  if (getServiceOptions(service)?.durable !== true) return false;
  if (log.transaction) return true;
  throw new Error(
    `'${path}' can not be durable: the log of its events has no transactions. Give it one of the database, channels({ log: eventLog(db) })`,
  );
}

/** What {@link makeDurable} needs. */
export interface DurableParts {
  readonly log: TransactionalLog;
  readonly publishing: Publishing;
  readonly outgoing: Outgoing;
  /** Settles once the log can store the calls of the service; `undefined` where that is known. */
  readonly checked: () => Promise<void> | undefined;
}

/** What is known of durable services: a log looks at each of them once, before it stores the first of its calls. */
export class DurableServices {
  readonly #log: EventLog;
  /** By path. */
  readonly #services = new Map<string, object>();
  /** What was looked at, or is being. */
  #checks = new WeakMap<object, Promise<void> | 'passed'>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  add(path: string, service: object): void {
    this.#services.set(path, service);
  }

  /**
   * Looks at all services that are there.
   *
   * @param isThere tells whether a path still leads to a service
   * @throws Error with what to do for one that can not be durable
   */
  async checkAll(isThere: (path: string, service: object) => boolean): Promise<void> {
    for (const [path, service] of this.#services) if (isThere(path, service)) await this.check(path, service);
  }

  /** Looks at one, which may have come later. One that did not pass is looked at again the next time. */
  check(path: string, service: object): Promise<void> | undefined {
    const checks = this.#checks;
    const known = checks.get(service);
    if (known !== undefined) return known === 'passed' ? undefined : known;
    const checking = (async () => this.#log.checkService?.(path, service))();
    checks.set(service, checking);
    checking.then(
      () => checks.set(service, 'passed'),
      () => checks.delete(service),
    );
    return checking;
  }

  /** Looks at all of them anew: the log has ended, and may begin with another database. */
  forget(): void {
    this.#checks = new WeakMap();
  }
}

/**
 * Makes each writing call of a service one transaction with its events, with all hooks: both are there, or neither. A publisher that fails makes the
 * call fail.
 */
export function makeDurable(service: object, path: string, { log, publishing, outgoing, checked }: DurableParts): void {
  const hook = repeating(async (context: HookContext, next: () => Promise<unknown>) => {
    if (READING.has(context.method)) {
      await next();
      return;
    }
    const checking = checked();
    if (checking) await checking;
    let made: readonly LogEntry[] = [];
    const drop = (): void => made.forEach((entry) => outgoing.dropped(entry));
    try {
      await log.transaction(context, async () => {
        drop();
        await next();
        made = await publishing.entriesOf(context, eventsOf(context, service, path));
        return made;
      });
    } catch (error) {
      drop();
      throw error;
    }
  });
  wrapCalls(service, hook);
  made.add(service);
}

const made = new WeakSet<object>();

/** @returns whether the calls of a service are one with their events */
export function isMadeDurable(service: object): boolean {
  return made.has(service);
}

const READING: ReadonlySet<string> = new Set(['find', 'get']);

/** As the service will emit them. */
function eventsOf(context: HookContext, service: object, path: string): Emitted[] {
  const { event, result } = context;
  if (typeof event !== 'string' || getServiceOptions(service)?.events.includes(event)) return [];
  const records: unknown[] = Array.isArray(result) ? result : [result];
  return records.map((record) => ({ service, path, event, record, context }));
}

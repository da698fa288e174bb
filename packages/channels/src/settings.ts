import { checkOptionNames } from '@framework/core';
import type { EventLog } from './log/event-log.ts';
import { MemoryEventLog } from './log/memory-event-log.ts';

/** What is kept for connections that come back, and for those that read slowly. Whichever limit is reached first counts. */
export interface WindowOptions {
  /** Number of events. Default: 10,000. */
  readonly entries?: number;
  /** Age in milliseconds. Default: 120,000. */
  readonly milliseconds?: number;
  /** Bytes of payloads together, and 100 for each channel of an event beside its first. Default: 67,108,864 (64 MiB). */
  readonly bytes?: number;
}

/** Options of {@link channels}. */
export interface ChannelsOptions {
  /** Where events get their order. Default: one in memory, for a single process. */
  readonly log?: EventLog;
  /** What is kept for connections that come back. */
  readonly window?: WindowOptions;
  /** Bytes that wait for one connection before it is served from the window alone. Default: 1,048,576 (1 MiB). */
  readonly maxBuffer?: number;
  /** Milliseconds that a connection may lag behind before it is closed. Default: 30,000. */
  readonly lagTimeout?: number;
  /** Milliseconds in which a connection that comes back can log in and join its channels again. Default: 5,000. */
  readonly catchUp?: number;
  /** Milliseconds that a publisher may take; later ones of its service wait for it. Default: 30,000. */
  readonly publishTimeout?: number;
  /** Whether clients are told positions and can resume by them. Default: `true`. */
  readonly resume?: boolean;
}

/** Options with their defaults. */
export interface ChannelsSettings {
  readonly log: EventLog;
  readonly window: Required<WindowOptions>;
  readonly maxBuffer: number;
  readonly lagTimeout: number;
  readonly catchUp: number;
  readonly publishTimeout: number;
  readonly resume: boolean;
}

const WINDOW: Required<WindowOptions> = { entries: 10_000, milliseconds: 120_000, bytes: 64 * 1024 * 1024 };
/** Those of them that are times: a timer that is to take longer than {@link LONGEST} ends at once. */
const TIMES: ReadonlySet<string> = new Set(['milliseconds', 'lagTimeout', 'catchUp', 'publishTimeout']);
/** Longest time that a timer takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1;
const NUMBERS = { maxBuffer: 1024 * 1024, lagTimeout: 30_000, catchUp: 5000, publishTimeout: 30_000 };
const NAMES: ReadonlySet<string> = new Set(['log', 'window', 'resume', ...Object.keys(NUMBERS)]);
const WINDOW_NAMES: ReadonlySet<string> = new Set(Object.keys(WINDOW));

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an unknown option, or one of the wrong type
 */
export function channelsSettings(options: ChannelsOptions): ChannelsSettings {
  checkOptionNames('channels()', options, NAMES);
  const { log, window = {}, resume = true, ...numbers } = options;
  checkOptionNames("The option 'window' of channels()", window, WINDOW_NAMES);
  if (log !== undefined && !isLog(log))
    throw new TypeError("The option 'log' of channels() has to be an event log: leave it out for one in memory");
  if (typeof resume !== 'boolean') throw new TypeError("The option 'resume' of channels() has to be true or false");
  return {
    log: log ?? new MemoryEventLog(),
    window: withDefaults(window, WINDOW, 'window.'),
    ...withDefaults(numbers, NUMBERS, ''),
    resume,
  };
}

function withDefaults<T extends Record<string, number>>(given: Partial<T>, defaults: T, prefix: string): T {
  const settings: Record<string, number> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
      throw new TypeError(`The option '${prefix}${name}' of channels() has to be a number above 0, and is ${String(value)}`);
    }
    if (TIMES.has(name) && value > LONGEST) {
      throw new TypeError(
        `The option '${prefix}${name}' of channels() has to be a number of milliseconds up to ${String(LONGEST)}, which is 24 days`,
      );
    }
    settings[name] = value;
  }
  return settings as T;
}

function isLog(log: Partial<EventLog> | null): log is EventLog {
  return log !== null && typeof log.epoch === 'string' && typeof log.append === 'function' && typeof log.read === 'function';
}

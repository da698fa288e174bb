import { checkOptionNames, stripSlashes } from '@framework/core';

/** Where an event stands: seconds and place within the second by the clock of the database, and place within one write. */
export type LogOrder = readonly [seconds: number, increment: number, place: number];

/** One event as the channels give it: plain data. The log keeps it as it is. */
export interface LogEntry {
  readonly key: string;
  readonly path: string;
  readonly event: string;
  readonly text: string;
  readonly targets: readonly { readonly channel: string; readonly text?: string; readonly filtered?: true }[];
  readonly at: number;
}

/** A change of a watched collection, whoever has made it. */
export interface LogChange {
  /** Path of the service. */
  readonly path: string;
  /** Name of the event that a service emits for such a change. */
  readonly event: 'created' | 'updated' | 'patched' | 'removed';
  /** The document; of a removed one only what is known of it, which is `_id` at least. */
  readonly record: Readonly<Record<string, unknown>>;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
}

/** Told of what happens in a log. */
export interface DocDbLogReader {
  entry(entry: LogEntry, order: LogOrder): void;
  changed(change: LogChange, order: LogOrder): void;
  /** The log has come to a place without an entry. */
  passed(order: LogOrder): void;
  /** What was between can not be told any more. */
  lost(epoch: string): void;
  /** The log can not be read at present. */
  failed?(error: unknown): void;
}

/** Options of {@link eventLog}. */
export interface EventLogOptions {
  /** Name of the collection. Default: `events`. */
  readonly collection?: string;
  /**
   * Collections whose changes become events of services, whoever makes them: names of collections by paths of services, or names that are paths
   * as well.
   */
  readonly watch?: readonly string[] | Readonly<Record<string, string>>;
  /** Milliseconds of the past that a process reads when it starts, so that clients of other processes can resume with it. Default: 120,000. */
  readonly replay?: number;
  /** Milliseconds in which events are gathered before they are stored together. Default: 5. */
  readonly gather?: number;
  /** Seconds after which the database removes stored events; it reads them from its own log. Default: 3,600. */
  readonly keep?: number;
}

/** Options with their defaults. */
export interface EventLogSettings {
  readonly collection: string;
  /** Paths of services by names of collections. */
  readonly watch: ReadonlyMap<string, string>;
  readonly replay: number;
  readonly gather: number;
  readonly keep: number;
}

const NUMBERS = { replay: 120_000, gather: 5, keep: 3600 };
const NAMES: ReadonlySet<string> = new Set(['collection', 'watch', ...Object.keys(NUMBERS)]);

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an unknown option, or one that is not what it has to be
 */
export function eventLogSettings(options: EventLogOptions): EventLogSettings {
  checkOptionNames('eventLog()', options, NAMES);
  const { collection = 'events', watch = {}, ...numbers } = options;
  if (typeof collection !== 'string' || collection === '') {
    throw new TypeError("The option 'collection' of eventLog() has to be the name of a collection");
  }
  const settings: Record<string, number> = { ...NUMBERS };
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined) continue;
    if (!Number.isFinite(value) || value < 0) throw new TypeError(`The option '${name}' of eventLog() has to be a number from 0 on`);
    settings[name] = value;
  }
  return { ...(settings as typeof NUMBERS), collection, watch: watched(watch, collection) };
}

function watched(watch: unknown, own: string): ReadonlyMap<string, string> {
  const entries: [string, unknown][] = Array.isArray(watch)
    ? watch.map((name) => [String(name), name])
    : Object.entries(typeof watch === 'object' && watch !== null ? watch : { watch });
  const paths = new Map<string, string>();
  for (const [path, name] of entries) {
    if (typeof name !== 'string' || name === '' || name === own || paths.has(name)) {
      throw new TypeError(
        "The option 'watch' of eventLog() has to be names of collections, each once, by paths of services: { orders: 'orders' }",
      );
    }
    paths.set(name, stripSlashes(path) || '/');
  }
  return paths;
}

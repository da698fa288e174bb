import type { HookContext } from '@framework/core';
import type { Order } from './position.ts';

/** A channel that an entry is for, as a log keeps it. */
export interface LogTarget {
  /** Name of the channel. */
  readonly channel: string;
  /** JSON of what this channel gets in place of the entry's own payload; left out for that. */
  readonly text?: string;
  /** Set where not all connections of the channel get it: each process asks the publisher which of its own do. */
  readonly filtered?: true;
}

/** One event of a service, with what was decided about it when it was published: plain data, to be kept as it is. */
export interface LogEntry {
  /** Another one for each entry, whatever process made it. */
  readonly key: string;
  /** Path of the service. */
  readonly path: string;
  /** Name of the event, for example `created`. */
  readonly event: string;
  /** JSON of the payload: the record as everybody may see it. */
  readonly text: string;
  /** Channels that it is for; a connection in several gets what the first one of them says. */
  readonly targets: readonly LogTarget[];
  /** When it was published, in milliseconds since 1970. */
  readonly at: number;
}

/** A change of records that a log tells without anybody having published it: each process asks the publishers itself. */
export interface LogChange {
  /** Path of the service. */
  readonly path: string;
  /** Name of the event that it stands for. */
  readonly event: string;
  readonly record: unknown;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
}

/** Told of what happens in a log. */
export interface LogReader {
  /** Called with each entry, in the order of the log. */
  entry(entry: LogEntry, order: Order): void;
  /** Called with changes among the entries, where a log tells them. */
  changed(change: LogChange, order: Order): void;
  /** Called where the log has come to a place without an entry: connections are told it, when they have got what is in front of it. */
  passed(order: Order): void;
  /** Called when the log begins, or goes on without what was between: positions of before mean nothing, and `latest` is where it stands. */
  lost(epoch: string): void;
  /** Called when the log can not be read at present, once for each reason until it can: events wait, or are lost, while it is tried again. */
  failed?(error: unknown): void;
  /** Called when the log can not take entries at present, once for each reason until it can: they wait while it is tried again. */
  delayed?(error: unknown): void;
}

/**
 * Where events are put in their one order. The log of each process tells the same entries in the same order.
 */
export interface EventLog {
  /** Text of at most 24 letters and digits that changes when positions of before mean nothing any more. */
  readonly epoch: string;
  /** Position behind the last entry that was told. */
  readonly latest: Order;
  /** Paths of services whose writes are {@link LogReader.changed}, and never entries. Default: none. */
  readonly watched?: readonly string[];
  /** Milliseconds in which entries are gathered before they are added together; one {@link append} follows the other then. Default: each is added at once. */
  readonly gather?: number;
  /**
   * Adds entries; those that it refuses together it is given one by one.
   *
   * @throws what keeps them from being stored, as a rejection: none of them was added then, or those that were are not once more when they are given again
   */
  append(entries: readonly LogEntry[]): Promise<void>;
  /**
   * Starts to tell of entries. A log has one reader.
   *
   * @returns ends it
   * @throws Error when somebody reads the log already
   */
  read(reader: LogReader): () => void;
  /** Begins, where that takes time; services are set up behind it, and connections taken in behind them. Tells the reader `lost` before all else. */
  start?(): Promise<void>;
  /** Ends; it can be started again. */
  stop?(): Promise<void>;
  /**
   * Makes a call and its entries one: both are stored, or neither is. Logs without it have no durable services.
   *
   * @param work makes the call and gives its entries; may be called again where another transaction was in the way
   */
  transaction?(context: HookContext, work: () => Promise<readonly LogEntry[]>): Promise<void>;
  /**
   * Looks whether the calls of a service can be {@link transaction}s.
   *
   * @throws Error with what to do when they can not
   */
  checkService?(path: string, service: object): Promise<void>;
}

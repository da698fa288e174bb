import type { Order } from './position.ts';

/** Which connections of a channel get an entry. Throws nothing that anybody sees. */
export type ConnectionFilter = (connection: object) => boolean;

/** A channel that an entry is for. */
export interface Target {
  /** Name of the channel. */
  readonly channel: string;
  /** JSON of what this channel gets in place of the entry's own payload; `undefined` for that. */
  readonly text?: string | undefined;
  /** Who of the channel gets it. Default: all. */
  readonly filter?: ConnectionFilter | undefined;
}

/** One event of a service, with what was decided about it when it was published. */
export interface EventEntry {
  /** Path of the service. */
  readonly path: string;
  /** Name of the event, for example `created`. */
  readonly event: string;
  /** JSON of the payload: the record as everybody may see it. */
  readonly text: string;
  /** Channels that it is for; a connection in several gets what the first one of them says. */
  readonly targets: readonly Target[];
  /** When it was published, in milliseconds since 1970. */
  readonly at: number;
}

/** Told of what happens in a log. */
export interface LogReader {
  /** Called with each entry, in the order of the log. */
  entry(entry: EventEntry, order: Order): void;
  /** Called when entries can not be told any more: positions of before mean nothing, and the log goes on with another epoch. */
  lost(epoch: string): void;
}

/**
 * Where events are put in their one order. The log of each process tells the same entries in the same order.
 */
export interface EventLog {
  /** Text of at most 24 letters and digits that changes when positions of before mean nothing any more. */
  readonly epoch: string;
  /** Position behind the last entry that was told. */
  readonly latest: Order;
  /**
   * Adds entries.
   *
   * @throws what keeps them from being stored, as a rejection: none of them was added then
   */
  append(entries: readonly EventEntry[]): Promise<void>;
  /**
   * Starts to tell of entries. A log has one reader.
   *
   * @returns ends it
   * @throws Error when somebody reads the log already
   */
  read(reader: LogReader): () => void;
}

import type { Membership } from '../channel/membership.ts';
import type { EventEntry, Target } from '../log/event-entry.ts';

/** Told of a filter that throws; nobody gets the entry by it. */
export type FailedFilter = (error: unknown, entry: EventEntry) => void;

/** Tells who gets an entry, and what. */
export class Recipients {
  readonly #membership: Membership;
  readonly #failed: FailedFilter;

  constructor(membership: Membership, failed: FailedFilter) {
    this.#membership = membership;
    this.#failed = failed;
  }

  /** Calls back with each connection that gets an entry now, and with the JSON that it gets. */
  each(entry: EventEntry, send: (connection: object, text: string) => void): void {
    const seen = entry.targets.length > 1 ? new Set<object>() : undefined;
    for (const target of entry.targets) {
      const text = target.text ?? entry.text;
      for (const connection of this.#membership.members(target.channel)) {
        if (seen?.has(connection) || !this.passes(entry, target, connection)) continue;
        seen?.add(connection);
        send(connection, text);
      }
    }
  }

  /**
   * @param wasAway whether the connection was not in one of its channels when the entry was published
   * @returns the JSON that a connection gets of an entry; `undefined` when it is in none of its channels, or was not
   */
  textFor(entry: EventEntry, connection: object, wasAway: (channel: string) => boolean): string | undefined {
    const channels = this.#membership.channelsOf(connection);
    const isMeant = ({ channel }: Target): boolean => channels.has(channel) && !wasAway(channel);
    const target = entry.targets.find((each) => isMeant(each) && this.passes(entry, each, connection));
    return target && (target.text ?? entry.text);
  }

  /** @returns whether a connection is one that a channel's entry is meant for, if it is in that channel */
  passes(entry: EventEntry, { filter }: Target, connection: object): boolean {
    if (!filter) return true;
    try {
      return filter(connection);
    } catch (error) {
      this.#failed(error, entry);
      return false;
    }
  }
}

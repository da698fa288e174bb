/** Told of connections that join a channel, or leave it. */
export type MembershipListener = (connection: object, channel: string, change: 'joined' | 'left') => void;

/** Which connections are in which channels. A channel is there as long as somebody is in it. */
export class Membership {
  readonly #channels = new Map<string, Set<object>>();
  readonly #ofConnection = new WeakMap<object, Set<string>>();
  readonly #changed: MembershipListener;
  /** Connections that have ended. */
  readonly #gone = new WeakSet<object>();
  readonly #open = new WeakSet<object>();

  /** @param changed told after each change that was one */
  constructor(changed: MembershipListener) {
    this.#changed = changed;
  }

  /** Names of the channels that somebody is in. */
  get names(): string[] {
    return [...this.#channels.keys()];
  }

  /** @returns the connections of a channel, in the order in which they joined */
  members(channel: string): ReadonlySet<object> {
    return this.#channels.get(channel) ?? NOBODY;
  }

  /** @returns the channels of a connection */
  channelsOf(connection: object): ReadonlySet<string> {
    return this.#ofConnection.get(connection) ?? NOWHERE;
  }

  /** What has ended joins nothing any more: nobody would take it out again. */
  join(channel: string, connection: object): void {
    if (this.#gone.has(connection)) return;
    const members = this.#channels.get(channel) ?? new Set();
    if (members.has(connection)) return;
    members.add(connection);
    this.#channels.set(channel, members);
    const channels = this.#ofConnection.get(connection) ?? new Set();
    channels.add(channel);
    this.#ofConnection.set(connection, channels);
    this.#changed(connection, channel, 'joined');
  }

  leave(channel: string, connection: object): void {
    const members = this.#channels.get(channel);
    if (!members?.delete(connection)) return;
    if (members.size === 0) this.#channels.delete(channel);
    this.#ofConnection.get(connection)?.delete(channel);
    this.#changed(connection, channel, 'left');
  }

  /** Says that a connection is open, also one that was ended before. */
  begin(connection: object): void {
    this.#gone.delete(connection);
    this.#open.add(connection);
  }

  /** Says that a connection will be open, unless it has ended already. */
  announce(connection: object): void {
    if (!this.#gone.has(connection)) this.#open.add(connection);
  }

  /** Whether a connection is one of this application, and has not ended. */
  isOpen(connection: object): boolean {
    return this.#open.has(connection);
  }

  /** Takes a connection out of all channels, for as long as it is not opened again. */
  end(connection: object): void {
    this.leaveAll(connection);
    this.#gone.add(connection);
    this.#open.delete(connection);
  }

  /** Takes a connection out of all channels. */
  leaveAll(connection: object): void {
    for (const channel of [...this.channelsOf(connection)]) this.leave(channel, connection);
  }
}

const NOBODY: ReadonlySet<object> = new Set();
const NOWHERE: ReadonlySet<string> = new Set();

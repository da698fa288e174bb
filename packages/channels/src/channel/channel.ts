import { isThenable } from '@framework/core';
import type { ConnectionFilter } from '../log/event-entry.ts';
import type { Membership } from './membership.ts';

/** Which connections {@link Channel.leave} takes out. */
export type LeavePredicate = (connection: Connection) => unknown;

/** A function that answers at once: a promise would be true of everybody. */
export type AtOnce<F extends (connection: Connection) => unknown> = F & (ReturnType<F> extends PromiseLike<unknown> ? never : unknown);

/**
 * A real-time connection: what a transport knows of a client, and what the application puts on it. An application says what that is by
 * `declare module '@framework/channels' { interface Connection { user?: User } }`.
 */
export interface Connection {
  [property: string]: unknown;
}

/** One channel as a publisher names it. */
export interface Part {
  readonly name: string;
  /** Who of it; all when `undefined`. */
  readonly filter: ConnectionFilter | undefined;
  /** What it gets in place of the event's own payload. */
  readonly data: unknown;
}

/**
 * One or several channels: groups of connections that events are sent to. {@link filter} and {@link send} make others of it and leave it as
 * it is.
 */
export class Channel {
  readonly #membership: Membership;
  readonly #parts: readonly Part[];

  /** @param parts channels by name; a connection in several counts as one of the first */
  constructor(membership: Membership, parts: readonly Part[]) {
    this.#membership = membership;
    this.#parts = parts;
  }

  /** @returns what the channel is made of, for those who publish to it; `undefined` where it is one of another application */
  static partsOf(channel: Channel, membership: Membership): readonly Part[] | undefined {
    return channel.#membership === membership ? channel.#parts : undefined;
  }

  /** Its connections, each once. */
  get connections(): Connection[] {
    const connections = new Set<object>();
    for (const { name, filter } of this.#parts) {
      for (const connection of this.#membership.members(name)) if (!filter || filter(connection)) connections.add(connection);
    }
    return [...connections] as Connection[];
  }

  /** How many connections it has. */
  get length(): number {
    const [only, ...others] = this.#parts;
    return only && others.length === 0 && !only.filter ? this.#membership.members(only.name).size : this.connections.length;
  }

  /** What {@link send} has set; `undefined` for the event's own payload. */
  get data(): unknown {
    return this.#parts[0]?.data;
  }

  /**
   * Adds connections. Those that are in it already, those that have ended meanwhile, and `undefined` as calls without a connection have it, change nothing.
   *
   * @throws Error on what {@link filter} or {@link send} has made; TypeError for what is no connection, such as a list of them
   */
  join(...connections: readonly (object | null | undefined)[]): this {
    const joining = connectionsIn(connections, 'join');
    for (const name of this.#names('join')) {
      for (const connection of joining) this.#membership.join(name, connection);
    }
    return this;
  }

  /**
   * Takes connections out.
   *
   * @param connections connections, or one function that says which
   * @throws Error on what {@link filter} or {@link send} has made; TypeError for a function that gives a promise, and for what is no connection, such as a
   *   list of them
   */
  leave(...connections: readonly (object | LeavePredicate | null | undefined)[]): this {
    const [first] = connections;
    const leaving = isPredicate(first)
      ? this.connections.filter((connection) => isMeant(first, connection, 'leave'))
      : connectionsIn(connections, 'leave');
    for (const name of this.#names('leave')) {
      for (const connection of leaving) this.#membership.leave(name, connection);
    }
    return this;
  }

  /**
   * Only some of the connections. The function is asked when an event is sent, and again for connections that come back and have missed it. One that gives
   * a promise fails with a TypeError, and nobody gets the event: what has to be waited for is asked in the publisher, or kept on the connection.
   *
   * @param predicate says of a connection whether it is meant
   * @throws TypeError for what is no function
   */
  filter<F extends (connection: Connection) => unknown>(predicate: AtOnce<F>): Channel {
    if (!isPredicate(predicate)) throw new TypeError('filter() takes a function that says of a connection whether it is meant');
    return this.#with(({ filter, ...part }) => ({
      ...part,
      filter: (connection) => (!filter || filter(connection)) && isMeant(predicate, connection as Connection, 'filter'),
    }));
  }

  /**
   * Sends something else than the event's own payload. Nothing is taken out of it: it holds what the connections may see.
   *
   * @param data what JSON can hold
   */
  send(data: unknown): Channel {
    return this.#with((part) => ({ ...part, data }));
  }

  #with(change: (part: Part) => Part): Channel {
    return new Channel(this.#membership, this.#parts.map(change));
  }

  #names(what: string): string[] {
    if (this.#parts.some(({ filter, data }) => filter !== undefined || data !== undefined)) {
      throw new Error(`Connections ${what} channels by name: app.channel(name).${what}(connection), before filter() and send()`);
    }
    return this.#parts.map(({ name }) => name);
  }
}

/** Anything else would be in the channel and hear nothing, or stay in it. */
function connectionsIn(given: readonly unknown[], method: string): object[] {
  const connections = given.filter(Boolean);
  const other = connections.find((one) => typeof one !== 'object' || Array.isArray(one));
  if (other === undefined) return connections as object[];
  const mend = Array.isArray(other) ? `several stand behind each other, ${method}(...connections)` : 'as app.on("connection") gives them';
  throw new TypeError(`${method}() takes connections, and got ${Array.isArray(other) ? 'a list' : typeof other}: ${mend}`);
}

function isPredicate(value: unknown): value is LeavePredicate {
  return typeof value === 'function';
}

function isMeant(predicate: LeavePredicate, connection: Connection, method: string): boolean {
  const answer = predicate(connection);
  if (isThenable(answer)) {
    // Nobody waits for it.
    Promise.resolve(answer).catch(() => undefined);
    throw new TypeError(
      `The function of ${method}() gave a promise, which is true of everybody: ask in the publisher for what has to be waited for, or keep it on the connection`,
    );
  }
  return Boolean(answer);
}

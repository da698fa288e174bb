import type { Doc } from '../bson/values.ts';
import type { Session } from '../transactions/sessions.ts';
import type { ConnectionState } from './command.ts';
import { FirstWrites } from './first-writes.ts';
import type { Operation } from './operation.ts';
import { Usage } from './usage.ts';

/** What commands are called where operations are shown; the others are `command`. */
export const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['find', 'query'],
  ['getMore', 'getmore'],
  ['insert', 'insert'],
  ['update', 'update'],
  ['delete', 'remove'],
]);

/** A command that runs. */
export interface RunningCommand {
  readonly id: number;
  readonly connection: Pick<ConnectionState, 'id' | 'remote' | 'client'>;
  /** To whom it belongs, where authentication is on. */
  readonly owner: string;
  readonly session: Session | undefined;
  readonly command: Doc;
  readonly ns: string;
  /** By `performance.now()`. */
  readonly started: number;
  readonly operation: Operation;
}

/** Kinds that are counted. */
export type OperationKind = 'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command';

const KINDS: ReadonlyMap<string, readonly [kind: OperationKind, list?: string]> = new Map([
  ['insert', ['insert', 'documents']],
  ['update', ['update', 'updates']],
  ['delete', ['delete', 'deletes']],
  ['find', ['query']],
  ['getMore', ['getmore']],
]);

/** @returns the collection that a command is about; `undefined` for one that is about none */
export function targetOf(command: Doc): string | undefined {
  const [name = ''] = Object.keys(command);
  const target = name === 'getMore' ? command.collection : command[name];
  return typeof target === 'string' ? target : undefined;
}

/** The commands that run at the moment, and how many there have been of each kind. */
export class Operations {
  readonly #running = new Map<number, RunningCommand>();
  #next = 0;
  #connection: number | undefined;
  #over = false;
  /** When a command last began on another connection than the one before, by `performance.now()`. */
  #sharedAt = -Infinity;
  /** How many there have been of each kind, as `serverStatus` counts them. */
  readonly counts: Record<OperationKind, bigint> = { insert: 0n, query: 0n, update: 0n, delete: 0n, getmore: 0n, command: 0n };

  /** Writes that connections wait for which are made meanwhile. */
  readonly firstWrites: FirstWrites = new FirstWrites();

  /** What the collections were used for. */
  readonly usage: Usage = new Usage();

  /** Notes that a command runs. @returns its number */
  begin(given: Omit<RunningCommand, 'id' | 'started'>): number {
    const started = performance.now();
    this.#next += 1;
    if (this.#over) given.operation.kill();
    this.#count(given.command);
    if (given.connection.id !== this.#connection) this.#sharedAt = started;
    this.#connection = given.connection.id;
    this.#running.set(this.#next, { ...given, id: this.#next, started });
    return this.#next;
  }

  /**
   * Whether nobody else has asked for anything since a time, or has worked on what was asked before; who waits for something to happen is not in a hurry.
   *
   * @param own the operation that asks
   * @param since by `performance.now()`
   */
  isAlone(own: Operation, since: number): boolean {
    if (this.#sharedAt >= since) return false;
    for (const { operation } of this.#running.values()) if (operation !== own && operation.hasWorkedSince(since)) return false;
    return true;
  }

  /** How many there have been since the server started. */
  get begun(): number {
    return this.#next;
  }

  /** Writes count for each of their statements. */
  #count(command: Doc): void {
    const [name = ''] = Object.keys(command);
    const [kind, list] = KINDS.get(name) ?? ['command'];
    const statements = list === undefined ? undefined : command[list];
    this.counts[kind] += BigInt(Array.isArray(statements) ? statements.length : 1);
  }

  /** Notes that it has ended. */
  end(id: number): void {
    const ended = this.#running.get(id);
    this.#running.delete(id);
    if (!ended || targetOf(ended.command) === undefined) return;
    const [name = ''] = Object.keys(ended.command);
    this.usage.note(ended.ns, name, performance.now() - ended.started);
  }

  /** @returns the commands that run */
  list(): RunningCommand[] {
    return [...this.#running.values()];
  }

  /** Ends a command where it looks at its time next. */
  kill(id: number): void {
    this.#running.get(id)?.operation.kill();
  }

  /** Ends the commands of a name; everything without one, also what is yet to begin. */
  killAll(name?: string): void {
    this.#over ||= name === undefined;
    for (const { command, operation } of this.#running.values())
      if (name === undefined || Object.keys(command)[0] === name) operation.kill();
  }

  /** Ends what runs for a client that has gone, as MongoDB does: nobody waits for its answer. */
  killOf(client: number): void {
    for (const { connection, operation } of this.#running.values()) if (connection.id === client) operation.kill();
  }

  /** Ends what runs in sessions that have ended, but for the operation that ended them. */
  killOfEnded(killer: Operation): void {
    for (const { session, operation } of this.#running.values()) if (session?.ended === true && operation !== killer) operation.kill();
  }
}

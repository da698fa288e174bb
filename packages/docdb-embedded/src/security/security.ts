import { createHash } from 'node:crypto';
import type { UUID } from 'bson';
import { checkCommand, type CommandDeclaration } from '../declarations/command-declaration.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { ConnectionState } from '../commands/command.ts';
import type { Cursors } from '../commands/cursors.ts';
import { needsOf } from './command-needs.ts';
import { allows, type Need } from './roles.ts';
import { decoyCredentials, isMechanism, loginFailed, type Mechanism, MECHANISMS, readClientFirst, ScramExchange } from './scram.ts';
import type { User, Users } from './users.ts';

interface Login {
  readonly user: User | undefined;
  readonly mechanism: Mechanism;
  readonly exchange: ScramExchange;
  /** Whether the last message of the server needs no answer. */
  readonly short: boolean;
  /** Whether the client has proved who it is, and has to say something once more, whatever it be. */
  proved: boolean;
}

/** What a step of a login answers. */
export interface LoginStep {
  readonly done: boolean;
  readonly payload: Buffer;
}

/** Who is connected, and what they may do. Where authentication is off, everybody may do everything. */
export class Security {
  readonly users: Users;
  readonly on: boolean;
  readonly #logins = new WeakMap<ConnectionState, Login>();
  readonly #ids = new WeakMap<ConnectionState, UUID>();

  constructor(users: Users, on: boolean) {
    this.users = users;
    this.on = on;
  }

  /**
   * Begins a login.
   *
   * @throws DocDbError (18, 334)
   */
  begin(connection: ConnectionState, db: string, mechanism: string, payload: Buffer, short: boolean): LoginStep {
    this.#logins.delete(connection);
    if (!isMechanism(mechanism))
      throw new DocDbError(334, `The mechanism '${mechanism.slice(0, 64)}' is not available: the server has ${MECHANISMS.join(' and ')}`);
    const first = readClientFirst(payload);
    const user = this.users.find(first.user, db);
    const known = user?.credentials[mechanism];
    // A client that has guessed the mechanism takes another one then.
    if (user && !known) throw loginFailed();
    const decoy = decoyCredentials(mechanism, this.users.secret, `${db}\0${first.user}`);
    const exchange = new ScramExchange(mechanism, first, known ?? decoy);
    this.#logins.set(connection, { user, mechanism, exchange, short, proved: false });
    return { done: false, payload: Buffer.from(exchange.reply) };
  }

  /**
   * Goes on with a login; one that fails has to begin again.
   *
   * @throws DocDbError (17, 18)
   */
  go(connection: ConnectionState, payload: Buffer): LoginStep {
    const login = this.#logins.get(connection);
    if (!login) throw new DocDbError(17, 'No SASL session state found');
    this.#logins.delete(connection);
    const { exchange, short } = login;
    const user = this.#unchanged(login);
    if (login.proved) {
      if (!user) throw loginFailed();
      this.#enter(connection, user);
      return { done: true, payload: Buffer.alloc(0) };
    }
    const proof = Buffer.from(exchange.finish(payload));
    if (!user) throw loginFailed();
    if (short) this.#enter(connection, user);
    else this.#logins.set(connection, { ...login, proved: true });
    return { done: short, payload: proof };
  }

  /** @returns who logs in; nobody where the password is another one than when the login began, or the user */
  #unchanged({ user, mechanism }: Login): User | undefined {
    const now = user && this.users.find(user.user, user.db);
    // Each password has a salt of its own, also that of a user who was made again.
    return now?.credentials[mechanism]?.storedKey === user?.credentials[mechanism]?.storedKey ? now : undefined;
  }

  /** @returns the mechanisms that a user may log in with; all for a name without a user */
  mechanismsOf(user: string, db: string): readonly Mechanism[] {
    const known = this.users.find(user, db);
    return MECHANISMS.filter((mechanism) => !known || known.credentials[mechanism]);
  }

  /** Gives a login up that is under way. */
  forget(connection: ConnectionState): void {
    this.#logins.delete(connection);
  }

  #enter(connection: ConnectionState, { user, db, userId }: User): void {
    connection.user = { user, db };
    this.#ids.set(connection, userId);
  }

  /** Ends the login of a connection. */
  leave(connection: ConnectionState): void {
    connection.user = undefined;
    this.#logins.delete(connection);
    this.#ids.delete(connection);
  }

  /** @returns who is connected, as they are now; nobody when they were removed meanwhile */
  userOf(connection: ConnectionState): User | undefined {
    const { user } = connection;
    const known = user && this.users.find(user.user, user.db);
    const id = this.#ids.get(connection);
    return known && id && known.userId.equals(id) ? known : undefined;
  }

  /** @returns to whom sessions and cursors of a connection belong; empty where authentication is off */
  ownerOf(connection: ConnectionState): string {
    if (!this.on) return '';
    const user = this.userOf(connection);
    return user ? this.ownerNameOf(user) : NOBODY;
  }

  /** @returns the same of a user; another one for each that is made, also of the same name */
  ownerNameOf({ userId }: User): string {
    return createHash('sha256').update(userId.buffer).digest('base64');
  }

  /** @returns the same of somebody by name; `undefined` when there is no such user, or nobody logs in */
  ownerNamed(user: string, db: string): string | undefined {
    const found = this.on ? this.users.find(user, db) : undefined;
    return found && this.ownerNameOf(found);
  }

  /** @returns whether nobody has logged in where somebody should: who keeps no sessions */
  isStranger(owner: string): boolean {
    return owner === NOBODY;
  }

  /** Whether there is anybody who could log in: nobody has to where authentication is off, and users may all the same. */
  get takesLogins(): boolean {
    return this.on || !this.isNew;
  }

  /** Whether somebody who has not logged in may make the first user. */
  get isNew(): boolean {
    return this.users.size === 0;
  }

  /** @returns whether who is connected may do something */
  may(connection: ConnectionState, need: Need): boolean {
    if (!this.on) return true;
    const user = this.userOf(connection);
    return user !== undefined && allows(user.roles, need);
  }

  /** @throws DocDbError (13) when who is connected may not do something */
  demand(connection: ConnectionState, need: Need, name: string): void {
    if (!this.may(connection, need))
      throw new DocDbError(
        13,
        `not authorized on ${need.db === undefined ? 'admin' : need.db || 'all databases'} to execute command '${name}'`,
      );
  }

  /**
   * Looks whether somebody has logged in, where a command needs it; nothing has been done for the command before.
   *
   * @throws DocDbError (13)
   */
  admit(connection: ConnectionState, declared: CommandDeclaration | undefined, name: string, database: unknown): void {
    if (!this.on || this.userOf(connection)) return;
    if (declared && needsOf(declared.name) === 'nothing') return;
    if (declared?.name === 'createUser' && database === 'admin' && this.isNew) return;
    throw new DocDbError(13, `Command ${name.slice(0, 64)} requires authentication`);
  }

  /**
   * Looks whether who is connected may run a command.
   *
   * @throws DocDbError (13), and what the command itself is refused for
   */
  authorize(connection: ConnectionState, declared: CommandDeclaration, command: Doc, name: string, database: string): void {
    checkCommand(declared, command, name, database);
    if (!this.on) return;
    const needs = needsOf(declared.name);
    if (needs === undefined) throw new DocDbError(13, `The command ${name} is not available while authentication is on`);
    if (typeof needs === 'string') return;
    for (const need of needs(command, name, database)) this.demand(connection, need, name);
  }

  /** @throws DocDbError (13) for a cursor of somebody else */
  checkCursor(connection: ConnectionState, cursors: Cursors, id: bigint, name: string): void {
    if (!this.on) return;
    const owner = cursors.ownerOf(id);
    if (owner === undefined || owner === this.ownerOf(connection)) return;
    if (name === 'killCursors' && this.may(connection, { action: 'killAnyCursor', db: undefined, collection: '' })) return;
    throw new DocDbError(13, `not authorized: cursor ${String(id)} belongs to another user`);
  }
}

/** To whom nothing belongs. */
const NOBODY = 'nobody';

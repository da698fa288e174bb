import { Conflict } from '@framework/errors';
import { codeOf } from '../sessions/store-call.ts';
import { property } from '../values.ts';

interface Turns {
  /** Logins and logouts that have come. */
  begun: number;
  /** The last one that was a logout, and has ended. */
  left: number;
  /** The last one that was a login, and was let in. */
  entered: number;
  /** Whose that was. */
  user: LoginUser | undefined;
}

/** Whose a login is: users of two services may have the same id. */
export interface LoginUser {
  readonly service: object;
  readonly id: string;
}

const known = new WeakMap<object, Turns>();

/** The place of a login or logout among those of its connection, in the order in which they came. None waits for another. */
export class Turn {
  readonly #connection: object;
  readonly #turns: Turns;
  readonly #own: number;

  constructor(connection: object) {
    const turns = known.get(connection) ?? { begun: 0, left: 0, entered: 0, user: undefined };
    known.set(connection, turns);
    this.#connection = connection;
    this.#turns = turns;
    this.#own = ++turns.begun;
  }

  /**
   * Says that the logout has ended.
   *
   * @param error what it has failed with: a client that is not logged in yet, and asks to be logged out, is to be nobody all the same
   */
  leave(error?: unknown): void {
    const isNobody = codeOf(error) === 401 && property(this.#connection, 'authentication') === undefined;
    if (error === undefined || isNobody) this.#turns.left = Math.max(this.#turns.left, this.#own);
  }

  /**
   * Lets the login in: the connection is its user's from now on.
   *
   * @param user `undefined` where the login does not say whose it is
   * @throws Conflict (409) where a logout that came later has ended, or the login of somebody else: its client takes the connection for nobody's, or for that
   *   user's
   */
  enter(user: LoginUser | undefined): void {
    const turns = this.#turns;
    if (this.#own < turns.left) throw new Conflict('The connection was logged out while this login was on its way. Log in again');
    if (this.#own > turns.entered) {
      turns.entered = this.#own;
      turns.user = user;
    } else if (!isSame(user, turns.user)) {
      throw new Conflict('Somebody else was logged in over the connection while this login was on its way. Log in again');
    }
  }
}

function isSame(a: LoginUser | undefined, b: LoginUser | undefined): boolean {
  return a !== undefined && a.service === b?.service && a.id === b.id;
}

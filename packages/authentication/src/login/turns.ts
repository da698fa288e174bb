import { Conflict } from '@framework/errors';
import { codeOf } from '../sessions/store-call.ts';
import { property } from '../values.ts';

interface Turns {
  /** Logins and logouts that have come. */
  begun: number;
  /** The last one that was a logout, and has ended. */
  left: number;
}

const known = new WeakMap<object, Turns>();

/** The place of a login or logout among those of its connection, in the order in which they came. None waits for another. */
export class Turn {
  readonly #connection: object;
  readonly #turns: Turns;
  readonly #own: number;

  constructor(connection: object) {
    const turns = known.get(connection) ?? { begun: 0, left: 0 };
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

  /** @throws Conflict (409) where a logout that came later has ended: its client takes the connection for nobody's */
  refuseLeft(): void {
    if (this.#own < this.#turns.left) throw new Conflict('The connection was logged out while this login was on its way. Log in again');
  }
}

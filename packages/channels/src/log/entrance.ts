import { Gate } from './gate.ts';

/**
 * When connections are taken in: once the log tells events, and services are set up. Before that an authentication service follows no logins, and a connection
 * that is logged in then would join nothing, and would not end with its login. An application that nobody sets up takes them in as it is, unless its log has to start.
 */
export class Entrance {
  readonly #hasStart: boolean;
  #gate: Gate;
  #isSetUp = false;

  /** @param hasStart whether the log has to be started */
  constructor(hasStart: boolean) {
    this.#hasStart = hasStart;
    this.#gate = this.#first();
  }

  /** Settles when connections are taken in; rejects when they will not be. */
  get opened(): Promise<void> {
    return this.#gate.opened;
  }

  /**
   * Takes connections in behind a start; what is open already stays so.
   *
   * @param work starts and sets up; gets what connections wait at meanwhile
   * @returns what the work gives
   * @throws what it fails with, which who waits is told too
   */
  async admitBehind<T>(work: (gate: Gate) => Promise<T>): Promise<T> {
    if (this.#gate.isFailed || (this.#gate.isOpen && !this.#isSetUp)) this.#gate = new Gate();
    const gate = this.#gate;
    try {
      const done = await work(gate);
      this.#isSetUp = true;
      // Another start may have failed meanwhile.
      if (this.#gate.isFailed) this.#gate = new Gate();
      this.#gate.open();
      return done;
    } catch (error) {
      gate.fail(error);
      throw error;
    }
  }

  /** @returns whether a gate is the one that connections wait at */
  has(gate: Gate): boolean {
    return gate === this.#gate;
  }

  /** The application ends. Who waits is told why. */
  end(error: unknown): void {
    this.#isSetUp = false;
    const gate = this.#gate;
    this.#gate = this.#first();
    gate.fail(error);
  }

  #first(): Gate {
    const gate = new Gate();
    if (!this.#hasStart) gate.open();
    return gate;
  }
}

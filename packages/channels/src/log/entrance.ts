import { Gate } from './gate.ts';

/** When connections are taken in: once the log tells events. */
export class Entrance {
  readonly #hasStart: boolean;
  #gate: Gate;

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
   * Takes connections in behind a start of the log; what is open already stays so.
   *
   * @param work starts it; gets what connections wait at meanwhile
   * @throws what the work fails with, which who waits is told too
   */
  async openBehind(work: (gate: Gate) => Promise<void>): Promise<void> {
    if (this.#gate.isFailed) this.#gate = new Gate();
    const gate = this.#gate;
    try {
      await work(gate);
    } catch (error) {
      gate.fail(error);
      throw error;
    }
    // Another start may have failed meanwhile.
    if (this.#gate.isFailed) this.#gate = new Gate();
    this.#gate.open();
  }

  /** @returns whether a gate is the one that connections wait at */
  has(gate: Gate): boolean {
    return gate === this.#gate;
  }

  /** The application ends. Who waits is told why. */
  end(error: unknown): void {
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

/** Counts what layers do, and knows when nothing more is to come. */
export class Happenings {
  readonly counts = new Map<string, number>();
  #pending = 0;

  note(feature: string): void {
    this.counts.set(feature, (this.counts.get(feature) ?? 0) + 1);
  }

  /**
   * Runs a function so many turns of the event loop later. Turns and not milliseconds: then a busy machine changes no order.
   *
   * @param failed told of what the function throws, which would otherwise end the process
   */
  after(turns: number, run: () => void, failed: (error: unknown) => void): void {
    this.#pending += 1;
    const turn = (left: number): void => {
      if (left > 1) {
        setImmediate(turn, left - 1);
        return;
      }
      this.#pending -= 1;
      try {
        run();
      } catch (error) {
        failed(error);
      }
    };
    setImmediate(turn, turns);
  }

  /** Resolves when nothing is left to come; Express's own last turns included. */
  async idle(): Promise<void> {
    for (let still = 0; still < 5; still = this.#pending === 0 ? still + 1 : 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

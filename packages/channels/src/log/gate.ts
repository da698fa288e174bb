/** What connections wait for until the log tells events. */
export class Gate {
  /** Settles when it is open; rejects when it will not be. */
  readonly opened: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Who was to open it is told; nobody need be waiting.
    this.opened.catch(() => undefined);
  }

  open(): void {
    this.#resolve();
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}

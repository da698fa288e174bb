/** What connections wait for. */
export class Gate {
  /** Settles when it is open; rejects when it will not be. */
  readonly opened: Promise<void>;
  #state: 'closed' | 'open' | 'failed' = 'closed';
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

  get isFailed(): boolean {
    return this.#state === 'failed';
  }

  open(): void {
    if (this.#state === 'closed') this.#state = 'open';
    this.#resolve();
  }

  /** One that is open stays so. */
  fail(error: unknown): void {
    if (this.#state === 'closed') this.#state = 'failed';
    this.#reject(error);
  }
}

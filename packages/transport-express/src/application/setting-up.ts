/** Whether the services of an application were set up, and what does that meanwhile: its own start, or that of an application that it lies in. */
export class SettingUp {
  readonly #running = new Set<Promise<unknown>>();
  #isDone = false;
  /** The last that was tried, where it has failed: nobody knows what is missing. */
  #failed: Promise<unknown> | undefined;

  /** What sets services up for the first time, while it does, or what has failed to; `undefined` once they are, and where nobody has tried. */
  get awaited(): Promise<unknown> | undefined {
    return this.#isDone ? undefined : (this.#running.values().next().value ?? this.#failed);
  }

  /**
   * @param work a start
   * @param anew whether the application has ended since the last one
   */
  begin(work: Promise<unknown>, anew: boolean): void {
    if (anew) this.#isDone = false;
    this.#failed = undefined;
    this.#running.add(work);
  }

  succeed(work: Promise<unknown>): void {
    this.#running.delete(work);
    this.#isDone = true;
  }

  fail(work: Promise<unknown>): void {
    this.#running.delete(work);
    this.#failed = work;
  }
}

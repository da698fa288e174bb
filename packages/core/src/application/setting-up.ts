/** Whether the services of an application were set up, and what does that meanwhile: starts of its own, and of applications that it lies in. */
export class SettingUp {
  readonly #own = new Set<Promise<unknown>>();
  readonly #outer = new Set<Promise<unknown>>();
  #isDone = false;
  /** The last that was tried, where it has failed: nobody knows what is missing. */
  #failed: Promise<unknown> | undefined;

  /** What sets services up for the first time, while it does, or what has failed to; `undefined` once they are, and where nobody has tried. */
  get awaited(): Promise<unknown> | undefined {
    if (this.#isDone) return undefined;
    const [running] = [...this.#own, ...this.#outer];
    return running ?? this.#failed;
  }

  /**
   * @param start sets services up before it ends. One start may be a part of another
   * @param isOwn whether it is one of the application itself: once none of those is left it is set up, or is not. One of an outer application goes on behind that
   */
  begin(start: Promise<unknown>, isOwn: boolean): void {
    const starts = isOwn ? this.#own : this.#outer;
    this.#failed = undefined;
    starts.add(start);
    start.then(
      () => {
        starts.delete(start);
        if (starts.size === 0) this.#isDone = true;
      },
      () => {
        starts.delete(start);
        this.#failed = start;
      },
    );
  }

  /** The services are torn down. */
  end(): void {
    this.#isDone = false;
  }
}

/** Work that is done one after the other for one key, in this process. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const done = before === undefined ? work() : before.then(work);
    const settled = done.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await done;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}

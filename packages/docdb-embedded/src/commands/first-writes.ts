/** A write, and the last connection that there was when it came. */
interface WriteUnderWay {
  readonly write: Promise<unknown>;
  readonly connection: number;
}

/**
 * Statements whose first write is on its way, by collection: a connection shows what came to the server before it was made. A driver makes
 * one because the others are busy, with that write say, whose commit may take longer than to connect. Connections that were there before
 * wait for nobody, so that readers are not as slow as writers are.
 */
export class FirstWrites {
  readonly #writes = new Map<string, Set<WriteUnderWay>>();

  /**
   * Notes a write until it ends.
   *
   * @param collections full names
   * @param connection number of the last connection so far
   * @returns what the write comes to
   */
  async note<T>(collections: readonly string[], connection: number, write: Promise<T>): Promise<T> {
    const noted = { write, connection };
    for (const ns of collections) this.#of(ns).add(noted);
    try {
      return await write;
    } finally {
      for (const ns of collections) this.#leave(ns, noted);
    }
  }

  /**
   * @param connection number of the one that asks
   * @returns the end of the writes that came before the connection was made, whatever they come to; `undefined` where there are none
   */
  ended(ns: string, connection: number): Promise<unknown> | undefined {
    const before = [...(this.#writes.get(ns) ?? [])].filter((noted) => noted.connection < connection);
    return before.length > 0 ? Promise.allSettled(before.map(({ write }) => write)) : undefined;
  }

  #of(ns: string): Set<WriteUnderWay> {
    const writes = this.#writes.get(ns) ?? new Set();
    this.#writes.set(ns, writes);
    return writes;
  }

  #leave(ns: string, noted: WriteUnderWay): void {
    const writes = this.#writes.get(ns);
    writes?.delete(noted);
    if (writes?.size === 0) this.#writes.delete(ns);
  }
}

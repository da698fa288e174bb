import type { IndexDefinition } from '../storage/index-definition.ts';

/** The indexes that are being built. */
export class IndexBuilds {
  readonly #builds = new Map<number, Promise<void>>();

  /** Notes that indexes are built while some work goes on. */
  async during(indexes: readonly IndexDefinition[], work: () => Promise<void>): Promise<void> {
    const done = work();
    const ended = done.catch(() => undefined);
    for (const { number } of indexes) this.#builds.set(number, ended);
    try {
      await done;
    } finally {
      for (const { number } of indexes) this.#builds.delete(number);
    }
  }

  /** Waits for all that are built, or taken back. */
  async settled(): Promise<void> {
    await Promise.all(this.#builds.values());
  }

  /** @returns when none of some indexes is being built any more */
  async ended(indexes: readonly IndexDefinition[]): Promise<void> {
    // One that is about to be built is noted in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(indexes.flatMap(({ number }) => this.#builds.get(number) ?? []));
  }
}

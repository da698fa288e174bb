interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/** Gives what comes from one source to several readers, each step to all of them before the next one is asked for. Who has enough leaves. */
export class Tee<T> {
  readonly #source: AsyncIterator<T>;
  readonly #readers = new Set<object>();
  readonly #waiting = new Map<object, Waiting<T>>();
  #failure: { readonly error: unknown } | undefined;
  #isDone = false;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** All readers are made before the first of them reads. */
  reader(): AsyncIterable<T> {
    const reader = {};
    this.#readers.add(reader);
    const next = (): Promise<IteratorResult<T, undefined>> =>
      new Promise((resolve, reject) => {
        this.#waiting.set(reader, { resolve, reject });
        this.#ask();
      });
    const leave = (): Promise<IteratorResult<T, undefined>> => {
      this.#readers.delete(reader);
      this.#ask();
      return Promise.resolve({ done: true, value: undefined });
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
  }

  /** Ends it for all readers, with what one of them failed with. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#give(({ reject }) => {
      reject(error);
    });
  }

  /** Nobody reads any more. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #ask(): void {
    if (this.#failure) this.fail(this.#failure.error);
    else if (this.#isDone) this.#end();
    else if (this.#readers.size > 0 && this.#waiting.size === this.#readers.size)
      this.#source.next().then(
        (result) => {
          if (result.done === true) {
            this.#isDone = true;
            this.#end();
          } else
            this.#give(({ resolve }) => {
              resolve(result);
            });
        },
        (error: unknown) => {
          this.fail(error);
        },
      );
  }

  #end(): void {
    this.#give(({ resolve }) => {
      resolve({ done: true, value: undefined });
    });
  }

  #give(to: (waiting: Waiting<T>) => void): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) to(one);
  }
}

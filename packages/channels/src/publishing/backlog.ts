/** Bytes that an event takes beside its payload, about. */
const EVENT = 500;

/** Counts what waits for publishers, who may never answer: beyond a limit nothing more is kept. */
export class Backlog {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes bytes that may wait; one event may be larger */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Counts an event that is to wait.
   *
   * @param bytes of its payload, about
   * @param name of the event, for the error
   * @returns to be called when it waits no longer
   * @throws Error when too much waits already
   */
  add(bytes: number, name: string): () => void {
    const more = bytes + EVENT;
    if (this.#bytes > 0 && this.#bytes + more > this.#maxBytes) {
      throw new Error(
        `The publishers in front of '${name}' do not answer as fast as events come: more than ${this.#maxBytes} bytes of them wait ('window.bytes' of channels()), and nobody gets this one`,
      );
    }
    this.#bytes += more;
    return () => {
      this.#bytes -= more;
    };
  }
}

/** @returns how much text a value holds, about: what it takes in memory is not much more or less */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, each) => sum + sizeOf(each), 0);
}

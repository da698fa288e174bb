import { MAX_MESSAGE } from './message.ts';

/** Longest message of one who may send any, with its header. */
export const MAX_WHOLE: number = MAX_MESSAGE + 65_536;
/** Bytes with which messages begin; all that is kept of one which is longer than it may be. */
export const BEGINNING = 20;
/** Bytes of the header of a message. */
const HEADER = 16;

/** Cuts a stream of bytes into messages. Chunks are joined once per message. */
export class Framing {
  #chunks: Buffer[] = [];
  #size = 0;
  /** The beginning of a message that is not kept. */
  #unkept: Buffer | undefined;
  /** Bytes that are still to come of it. */
  #left = 0;

  /**
   * @param chunk bytes as they came
   * @param longest bytes that a message may have; of a longer one its beginning is kept and given, once all of it has come
   * @returns the messages that are complete now
   * @throws RangeError for a length that no message has
   */
  push(chunk: Buffer, longest: number = MAX_WHOLE): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    for (let next = this.#next(longest); next !== undefined; next = this.#next(longest)) messages.push(next);
    return messages;
  }

  #next(longest: number): Buffer | undefined {
    if (this.#unkept) return this.#passOver(this.#unkept);
    if (this.#size < HEADER) return undefined;
    const first = this.#begun(HEADER);
    const length = first.readInt32LE(0);
    if (length < HEADER || length > MAX_WHOLE) throw new RangeError(`A message of ${String(length)} bytes is not possible`);
    if (length <= longest) return this.#size < length ? undefined : this.#take(length);
    if (this.#size < BEGINNING) return undefined;
    this.#unkept = Buffer.from(this.#begun(BEGINNING).subarray(0, BEGINNING));
    this.#left = length;
    return this.#passOver(this.#unkept);
  }

  /** @returns the beginning of the message once it has come to its end */
  #passOver(beginning: Buffer): Buffer | undefined {
    const passed = Math.min(this.#size, this.#left);
    this.#take(passed);
    this.#left -= passed;
    if (this.#left > 0) return undefined;
    this.#unkept = undefined;
    return beginning;
  }

  /** @returns a chunk that has the first bytes, of which there are enough */
  #begun(bytes: number): Buffer {
    if ((this.#chunks[0] as Buffer).length < bytes) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] as Buffer;
  }

  #take(length: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const rest = all.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return all.subarray(0, length);
  }
}

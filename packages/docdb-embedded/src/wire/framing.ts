import { MAX_MESSAGE } from './message.ts';

/** Cuts a stream of bytes into messages. Chunks are joined once per message. */
export class Framing {
  #chunks: Buffer[] = [];
  #size = 0;

  /**
   * @param chunk bytes as they came
   * @returns the messages that are complete now
   * @throws RangeError for a length that no message has
   */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    for (let length = this.#nextLength(); length !== undefined && this.#size >= length; length = this.#nextLength()) {
      messages.push(this.#take(length));
    }
    return messages;
  }

  #nextLength(): number | undefined {
    if (this.#size < 16) return undefined;
    if ((this.#chunks[0] as Buffer).length < 4) this.#chunks = [Buffer.concat(this.#chunks)];
    const length = (this.#chunks[0] as Buffer).readInt32LE(0);
    if (length < 16 || length > MAX_MESSAGE + 65_536) throw new RangeError(`A message of ${String(length)} bytes is not possible`);
    return length;
  }

  #take(length: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const rest = all.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return all.subarray(0, length);
  }
}

import { writeText } from '../../bson/text.ts';

/** Stands before a byte that is no UTF-8; larger than the first byte of any character, as such a byte comes behind them all. */
const NO_CHARACTER = 0xfe;

/** Collects the bytes of a key; grows as it needs to. */
export class KeyWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(512);
  length = 0;

  /** Makes room and gives where it begins. Called first: it may move the bytes. */
  take(size: number): number {
    const from = this.length;
    this.length += size;
    if (this.length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.length, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return from;
  }

  byte(value: number): void {
    const at = this.take(1);
    this.bytes[at] = value;
  }

  raw(bytes: Uint8Array): void {
    const at = this.take(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** Text by code points, ended so that a text sorts before those that it begins. */
  text(text: string): void {
    const at = this.take(text.length * 3);
    this.length = at + writeText(text, this.bytes, at, NO_CHARACTER);
    if (text.includes('\0')) {
      const escaped = Buffer.from(this.bytes.toString('latin1', at, this.length).replaceAll('\0', '\0\xff'), 'latin1');
      this.length = at;
      this.raw(escaped);
    }
    this.byte(0);
    this.byte(0);
  }

  /** Turns the order of everything since a place round. */
  invert(from: number): void {
    for (let at = from; at < this.length; at++) this.bytes[at] = ~(this.bytes[at] as number);
  }

  /** @returns a copy of what was collected */
  finish(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }
}

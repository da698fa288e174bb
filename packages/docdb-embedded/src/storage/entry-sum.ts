/** A sum of two numbers below it loses no bit. */
const MODULUS = 2 ** 52;

/** Adds up the entries of an index, in whatever order they come: two sums of the same entries are the same. */
export class EntrySum {
  /** Entries. */
  count = 0;
  #sum = 0;

  add(key: Buffer, record: number): void {
    this.count += 1;
    this.#sum = (this.#sum + hash(key, record)) % MODULUS;
  }

  equals(other: EntrySum): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }
}

/** FNV-1a, then the end of MurmurHash3. */
function hash(key: Buffer, record: number): number {
  let value = 0x811c9dc5 ^ (record & 0xffff);
  for (const byte of key) value = Math.imul(value ^ byte, 0x01000193);
  value = Math.imul(value ^ (record >>> 0), 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

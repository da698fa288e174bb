import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { BEGINNING, Framing } from '../../src/wire/framing.ts';

/** A message with its length, and after it bytes that tell it from others. */
function message(length: number, fill: number): Buffer {
  const bytes = Buffer.alloc(length, fill);
  bytes.writeInt32LE(length, 0);
  return bytes;
}

describe('a stream of bytes', () => {
  it('becomes the same messages however it is cut, and of those that are too long their beginning', () => {
    const seed = Number(process.env.FRAMING_SEED ?? 20_261_124);
    const random = new Random(seed);
    const variety = new Variety();
    for (let round = 0; round < 300; round++) {
      const longest = random.pick([40, 100, 1000]);
      const messages = Array.from({ length: 1 + random.below(6) }, (_, index) =>
        message(random.pick([16, 17, 20, 21, 39, 40, 41, 99, 100, 101, 500, 3000]), index + 1),
      );
      const framing = new Framing();
      const found: Buffer[] = [];
      let left = Buffer.concat(messages);
      const cuts: number[] = [];
      while (left.length > 0) {
        const size = Math.min(left.length, 1 + random.below(random.pick([1, 10, 100, 5000])));
        cuts.push(size);
        found.push(...framing.push(Buffer.from(left.subarray(0, size)), longest));
        left = left.subarray(size);
      }
      variety.tried(`${longest} ${messages.map(({ length }) => length).join(' ')} ${cuts.join(' ')}`);
      for (const { length } of messages) variety.took(length > longest ? 'too long' : 'whole');
      expect(found).toEqual(messages.map((bytes) => (bytes.length > longest ? bytes.subarray(0, BEGINNING) : bytes)));
    }
    console.log(variety.report('framing', seed));
    variety.expect(290, { 'too long': 200, whole: 200 });
  });

  it('gives the beginning of a long message when the last of it has come', () => {
    const framing = new Framing();
    const long = message(10_000_000, 7);
    for (let at = 0; at < 9_000_000; at += 1_000_000)
      expect(framing.push(Buffer.from(long.subarray(at, at + 1_000_000)), 1000)).toEqual([]);
    expect(framing.push(long.subarray(9_000_000), 1000)).toEqual([long.subarray(0, BEGINNING)]);
  });

  it.each([0, 15, -1, 48_100_000])('is refused where it says that a message has %i bytes', (length) => {
    const bytes = Buffer.alloc(16);
    bytes.writeInt32LE(length, 0);
    expect(() => new Framing().push(bytes)).toThrow(RangeError);
  });
});

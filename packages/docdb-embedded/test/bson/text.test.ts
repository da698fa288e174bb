import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { compare } from '../../src/bson/compare.ts';
import { decode } from '../../src/bson/decode.ts';
import { encode } from '../../src/bson/encode.ts';
import { bytesOf, readText } from '../../src/bson/text.ts';
import { KeyWriter } from '../../src/storage/keys/key-writer.ts';

const SEED = Number(process.env.TEXT_SEED ?? 20261124);
const ROUNDS = Number(process.env.TEXT_ROUNDS ?? 3000);

/** Pieces that characters, their beginnings, and what is none are made of. */
const PIECES: readonly (readonly number[])[] = [
  [0x61],
  [0xc3, 0xa9],
  [0xe2, 0x82, 0xac],
  [0xf0, 0x9f, 0xa4, 0xaa],
  [0xef, 0xbf, 0xbd],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0xa4],
  [0x80],
  [0xff],
  [0xc0, 0x80],
  [0xe0, 0x80, 0x80],
  [0xed, 0xb2, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x01],
];

function document(bytes: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0x02, 0x61, 0, 0, 0, 0, 0]);
  head.writeInt32LE(bytes.length + 1, 7);
  const whole = Buffer.concat([head, bytes, Buffer.from([0, 0])]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

function keyOf(text: string): Buffer {
  const writer = new KeyWriter();
  writer.text(text);
  return writer.finish();
}

function textOf(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.below(8) }, () => PIECES[random.below(PIECES.length)] ?? []).flat());
}

describe('text of bytes', () => {
  it(`keeps bytes that are no UTF-8, has a key of its own for each, and keys in order (seed ${String(SEED)})`, () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = textOf(random);
      const other = textOf(random);
      const text = readText(bytes, 0, bytes.length);
      const second = readText(other, 0, other.length);
      const isText = Buffer.from(bytes.toString()).equals(bytes);
      variety.tried(bytes.toString('hex'));
      variety.took(`${isText ? 'text' : 'no text'} ${String(Math.sign(compare(text, second)))}`);
      expect(bytesOf(text).equals(bytes)).toBe(true);
      if (isText) expect(text).toBe(bytes.toString());
      expect(encode(decode(document(bytes))).equals(document(bytes))).toBe(true);
      expect(Math.sign(Buffer.compare(keyOf(text), keyOf(second)))).toBe(Math.sign(compare(text, second)));
    }
    console.log(variety.report('TEXT_SEED', SEED));
    for (const order of ['-1', '1'])
      for (const kind of ['text', 'no text']) expect(variety.count(`${kind} ${order}`)).toBeGreaterThan(ROUNDS / 100);
    expect(variety.distinct).toBeGreaterThan(ROUNDS / 2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { decode } from '../../src/bson/decode.ts';
import { decodeFields, FieldNames } from '../../src/bson/decode-fields.ts';
import { encode } from '../../src/bson/encode.ts';
import { hashKey } from '../../src/bson/hash-key.ts';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  type Doc,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Value,
} from '../../src/bson/values.ts';

const SEED = Number(process.env.FIELDS_SEED ?? 20261122);

const VALUES: readonly ((random: Random) => Value)[] = [
  (random) => random.below(1000),
  (random) => new Double(random.below(1000)),
  (random) => random.below(1000) + 0.5,
  (random) => BigInt(random.below(1000)) * 2n ** 40n,
  () => Decimal128.fromString('1.50'),
  (random) => 'ä'.repeat(random.below(20)),
  () => new ObjectId(),
  (random) => random.oneIn(2),
  (random) => new Date(random.below(2 ** 31)),
  () => null,
  () => new BSONRegExp('^a+', 'i'),
  () => new Code('f()'),
  () => new Code('f()', { a: 1 }),
  () => new BSONSymbol('s'),
  () => new Timestamp({ t: 1, i: 2 }),
  () => new MinKey(),
  () => new MaxKey(),
  (random) => new Binary(Buffer.alloc(random.below(30), 7)),
  (random) => ({ a: random.below(5), b: ['x', { c: 1 }] }),
  (random) => Array.from({ length: random.below(5) }, (_, at) => at),
];
const NAMES = ['a', 'b', 'ab', 'abc', 'ä', 'name', 'nam', '__proto__', '', 'constructor'];

describe('some fields of a document', () => {
  it('are those that the whole document has', () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < 5000; round++) {
      const doc: Doc = {};
      for (const name of NAMES)
        if (!random.oneIn(3))
          Object.defineProperty(doc, name, { value: random.pick(VALUES)(random), enumerable: true, writable: true, configurable: true });
      const wanted = NAMES.filter(() => random.oneIn(3));
      const padding = random.below(20);
      const bytes = Buffer.concat([Buffer.alloc(padding, 1), encode(doc), Buffer.alloc(10, 1)]);
      const whole = decode(bytes, padding);
      const some = decodeFields(bytes, padding, FieldNames.of(wanted) as FieldNames);
      const expected = Object.keys(whole).filter((name) => wanted.includes(name));
      expect(Object.keys(some)).toEqual(expected);
      for (const name of expected) expect(hashKey(some[name])).toBe(hashKey(whole[name]));
      variety.tried(`${Object.keys(doc).join()} ${wanted.join()}`);
      variety.took(expected.length === 0 ? 'nothing' : 'something');
    }
    console.log(variety.report('FIELDS_SEED', SEED));
    variety.expect(3000, { nothing: 50, something: 1000 });
  });

  it('are not told apart where names would move', () => {
    expect(FieldNames.of(['a', '1'])).toBeUndefined();
  });
});

it('takes as long as a document and the names have together, and not as their product', () => {
  const names = Array.from({ length: 200_000 }, (_none, at) => `field ${String(at)}`);
  const doc: Doc = Object.fromEntries(names.map((name, at) => [name, at]));
  const fields = FieldNames.of(names.map((name) => name.replace('9', 'ü'))) as FieldNames;
  const found = decodeFields(encode(doc), 0, fields);
  expect(Object.keys(found)).toEqual(names.filter((name) => !name.includes('9')));
});

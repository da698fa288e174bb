import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Binary, Decimal128, Double, Int32, Long } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.BITS_SEED ?? 20261123);
const OPERATORS = ['$bitsAllSet', '$bitsAnySet', '$bitsAllClear', '$bitsAnyClear'] as const;

/** A document, and what its bits are. */
interface Made {
  readonly _id: number;
  readonly v: unknown;
  readonly of: bigint | Uint8Array | undefined;
}

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

/** Whether a bit of a number or of bytes is set, one position at a time, by the manual: numbers go on with their sign, bytes with nothing. */
function isSet(value: bigint | Uint8Array, position: number): boolean {
  if (typeof value === 'bigint') return position >= 64 ? value < 0n : ((value >> BigInt(position)) & 1n) === 1n;
  return (((value[position >> 3] ?? 0) >> (position & 7)) & 1) === 1;
}

function fits(operator: (typeof OPERATORS)[number], value: bigint | Uint8Array | undefined, positions: readonly number[]): boolean {
  if (value === undefined) return false;
  const right = positions.map((position) => isSet(value, position) === operator.endsWith('Set'));
  return operator.startsWith('$bitsAll') ? right.every(Boolean) : right.some(Boolean);
}

it('bits of all kinds of numbers and of bytes are those that are looked at one by one', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const whole = (): bigint => BigInt.asIntN(64, (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32)));
  const made = Array.from({ length: 300 }, (_, _id) => {
    const long = whole();
    const int = Number(BigInt.asIntN(32, long));
    const few = random.below(200) - 100;
    const bytes = Uint8Array.from({ length: random.below(12) }, () => random.below(256));
    return random.pick<Made>([
      { _id, v: new Int32(int), of: BigInt(int) },
      { _id, v: new Int32(few), of: BigInt(few) },
      { _id, v: Long.fromBigInt(long), of: long },
      { _id, v: new Double(int), of: BigInt(int) },
      { _id, v: new Double(int + 0.5), of: undefined },
      { _id, v: Decimal128.fromString(String(int)), of: BigInt(int) },
      { _id, v: new Binary(bytes), of: bytes },
      { _id, v: 'a text', of: undefined },
    ]);
  });
  const collection = harness.db.collection<{ _id: number; v: unknown }>('bits');
  await collection.insertMany(made.map(({ _id, v }) => ({ _id, v })));
  for (let round = 0; round < 300; round++) {
    const operator = random.pick([...OPERATORS]);
    const positions = Array.from({ length: random.below(4) }, () => random.below(random.pick([8, 33, 70, 300])));
    const found = await collection.find({ v: { [operator]: positions } }).toArray();
    const expected = made.filter(({ of }) => fits(operator, of, positions)).map(({ _id }) => _id);
    expect({ operator, positions, ids: found.map(({ _id }) => _id).sort((a, b) => a - b) }).toEqual({ operator, positions, ids: expected });
    variety.tried(`${operator} ${positions.join()}`);
    variety.took(operator);
    variety.took(expected.length > 0 ? 'some' : 'none');
    variety.took(positions.some((position) => position > 63) ? 'beyond' : 'within');
  }
  console.log(variety.report('bits', SEED));
  variety.expect(150, {
    $bitsAllSet: 30,
    $bitsAnySet: 30,
    $bitsAllClear: 30,
    $bitsAnyClear: 30,
    some: 100,
    none: 5,
    beyond: 30,
    within: 60,
  });
});

import { describe, expect, it } from '@jest/globals';
import { Random } from '@framework-internal/random';
import { collatorFor, type Collator } from '../../src/bson/collation.ts';
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Doc,
  type Value,
} from '../../src/bson/values.ts';
import { EMPTY_ARRAY_KEY } from '../../src/query/path-values.ts';
import { compareKeys } from '../../src/query/sort.ts';
import { byteRange, indexKey, type KeyOrder } from '../../src/storage/keys/index-key.ts';

const SEED = Number(process.env.KEY_SEED ?? 20261121);
const ROUNDS = Number(process.env.KEY_ROUNDS ?? 12_000);

const LETTERS = ['', '\0', '\u0001', 'a', 'A', 'b', 'ä', 'ß', 'ss', 'é', 'z', '中', '😀', '\uffff', '0', '10', '9', ' ', '-'];
const NUMBERS: readonly Value[] = [
  0,
  -0,
  1,
  -1,
  9.99,
  0.1,
  Number.NaN,
  Infinity,
  -Infinity,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  Number.MAX_VALUE,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  new Double(1),
  ...[
    '9.99',
    '0.1',
    '-0.1',
    '1E-6176',
    '-1E-6176',
    '9.999999999999999999999999999999999E+6144',
    'NaN',
    'Infinity',
    '-Infinity',
    '0E+3',
  ].map((text) => Decimal128.fromString(text)),
];

const textOf = (random: Random): string => Array.from({ length: random.below(5) }, () => random.pick(LETTERS)).join('');

function numberOf(random: Random): Value {
  const whole = random.below(2000) - 1000;
  switch (random.below(6)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return whole;
    case 2:
      return whole / 7;
    case 3:
      return BigInt(whole) * 10n ** BigInt(random.below(16));
    case 4:
      return Decimal128.fromString(`${String(whole)}.${String(random.below(1000))}E${String(random.below(40) - 20)}`);
    default:
      // Neighbours of a double, as a decimal with all the digits that there are.
      return Decimal128.fromString((whole / 8 + random.below(3) * 1e-12).toPrecision(21));
  }
}

function valueOf(random: Random, depth = 0): Value {
  switch (random.below(depth < 3 ? 15 : 12)) {
    case 0:
      return null;
    case 1:
      return undefined;
    case 2:
    case 3:
      return numberOf(random);
    case 4:
    case 5:
      return textOf(random);
    case 6:
      return random.oneIn(2);
    case 7:
      return new Date(random.below(5) * 1000 - 2000);
    case 8:
      return new ObjectId(`00000000000000000000000${String(random.below(3))}`);
    case 9:
      return new Binary(Buffer.alloc(random.below(3), random.below(3)), random.below(2));
    case 10:
      return random.pick([new MinKey(), new MaxKey(), depth === 0 ? EMPTY_ARRAY_KEY : null]);
    case 11:
      return random.pick([
        new Timestamp({ t: random.below(3), i: random.below(3) }),
        new BSONRegExp(textOf(random).replaceAll('\0', ''), 'i'),
        new Code(textOf(random)),
      ]);
    case 12:
      return Array.from({ length: random.below(3) }, () => valueOf(random, depth + 1) ?? null);
    default: {
      const doc: Doc = {};
      for (let count = random.below(3); count > 0; count--)
        doc[random.pick(['a', 'b', 'ab', 'a\u0001'])] = valueOf(random, depth + 1) ?? null;
      return doc;
    }
  }
}

/** The order that an index has: by each field in its direction. */
function orderOf(a: readonly Value[], b: readonly Value[], { directions, collator }: KeyOrder): number {
  for (const [at, direction] of directions.entries()) {
    const order = compareKeys(a[at], b[at], collator) * direction;
    if (order !== 0) return Math.sign(order);
  }
  return 0;
}

const collators: readonly (Collator | undefined)[] = [
  undefined,
  collatorFor({ locale: 'en', strength: 2 }),
  collatorFor({ locale: 'de', strength: 1 }),
  collatorFor({ locale: 'en', numericOrdering: true }),
];

describe('keys of an index', () => {
  it(`sort by bytes as values compare: ${String(ROUNDS)} pairs, KEY_SEED=${String(SEED)}`, () => {
    const random = new Random(SEED);
    const seen = { less: 0, equal: 0, more: 0, coarse: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const order: KeyOrder = {
        directions: random.pick<readonly (1 | -1)[]>([[1], [-1], [1, 1], [1, -1], [-1, 1, 1]]),
        collator: random.oneIn(3) ? random.pick(collators) : undefined,
      };
      const key = (): Value[] => order.directions.map(() => valueOf(random));
      const a = key();
      const b = random.oneIn(3) ? [...a.slice(0, -1), valueOf(random)] : key();
      const [left, right] = [indexKey(a, order), indexKey(b, order)];
      const wanted = orderOf(a, b, order);
      const found = Math.sign(Buffer.compare(left.bytes, right.bytes));
      seen[wanted < 0 ? 'less' : wanted > 0 ? 'more' : 'equal'] += 1;
      if (left.coarse || right.coarse) seen.coarse += 1;
      // Coarse keys may be the same where values are not; they never stand the wrong way round.
      if (found !== wanted && !((left.coarse || right.coarse) && found === 0))
        expect({ round, a, b, found }).toEqual({ round, a, b, found: wanted });
      if (wanted === 0) expect(found).toBe(0);
    }
    console.log(`KEY_SEED=${String(SEED)} ${JSON.stringify(seen)}`);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(ROUNDS / 100);
  });

  it(`lie in the byte range of the bounds that hold them: KEY_SEED=${String(SEED)}`, () => {
    const random = new Random(SEED + 1);
    const seen = { inside: 0, outside: 0 };
    for (let round = 0; round < ROUNDS / 4; round++) {
      const order: KeyOrder = {
        directions: random.pick<readonly (1 | -1)[]>([
          [1, 1],
          [1, -1],
          [-1, -1],
        ]),
        collator: random.oneIn(4) ? random.pick(collators) : undefined,
      };
      const first = valueOf(random, 2);
      const bound = () => ({ value: random.oneIn(2) ? numberOf(random) : textOf(random), inclusive: random.oneIn(2) });
      const low = bound();
      const high =
        typeof low.value === 'string'
          ? { value: textOf(random), inclusive: random.oneIn(2) }
          : { value: numberOf(random), inclusive: random.oneIn(2) };
      const value = random.oneIn(4)
        ? random.pick([low.value, high.value])
        : typeof low.value === 'string'
          ? textOf(random)
          : numberOf(random);
      const range = byteRange({ equal: [first], low: random.oneIn(5) ? undefined : low, high: random.oneIn(5) ? undefined : high }, order);
      const given = { low: range.start, high: range.end };
      const key = indexKey([first, value], order);
      const above = compareKeys(value, low.value, order.collator);
      const below = compareKeys(value, high.value, order.collator);
      const inside = (above > 0 || (above === 0 && low.inclusive)) && (below < 0 || (below === 0 && high.inclusive));
      const found = Buffer.compare(key.bytes, given.low) >= 0 && Buffer.compare(key.bytes, given.high) < 0;
      seen[inside ? 'inside' : 'outside'] += 1;
      if (inside) expect({ first, value, low, high, found }).toEqual({ first, value, low, high, found: true });
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(ROUNDS / 100);
  });

  it('exclude what lies outside of exact bounds', () => {
    const order: KeyOrder = { directions: [1], collator: undefined };
    const holds = (value: Value, low: Value, inclusive: boolean): boolean => {
      const { start, end } = byteRange({ equal: [], low: { value: low, inclusive }, high: undefined }, order);
      const { bytes } = indexKey([value], order);
      return Buffer.compare(bytes, start) >= 0 && Buffer.compare(bytes, end) < 0;
    };
    expect(holds(5, 5, true)).toBe(true);
    expect(holds(5, 5, false)).toBe(false);
    expect(holds(4, 5, true)).toBe(false);
    expect(holds('5', 5, true)).toBe(false);
    expect(holds(Decimal128.fromString('5.000000000000000000000000000000001'), 5, false)).toBe(true);
    expect(holds(2n ** 53n + 1n, 2 ** 53, false)).toBe(true);
  });

  it('are cut where they would be too long, and say so', () => {
    const order: KeyOrder = { directions: [1], collator: undefined };
    const key = indexKey(['x'.repeat(5000)], order);
    expect(key.bytes.length).toBeLessThanOrEqual(900);
    expect(key.coarse).toBe(true);
    expect(indexKey(['x'.repeat(500)], order).coarse).toBe(false);
  });
});

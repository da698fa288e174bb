import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { collatorFor, type Collator } from '../../src/bson/collation.ts';
import { KeyWriter } from '../../src/storage/keys/key-writer.ts';
import { writeTextPlace } from '../../src/storage/keys/text-place.ts';

const SEED = Number(process.env.PLACE_SEED ?? 20261123);
const COLLATIONS = Number(process.env.PLACE_COLLATIONS ?? 40);
const TEXTS = 160;

const LOCALES = 'en de fr_CA sv da cs hu es lt et tr hr cy sk pl ja zh ru uk el he ar vi th ko fi ro lv mt bs'.split(' ');
/** Letters that count as one in some language, accents, cases, numbers, punctuation, and other scripts. */
const PARTS =
  "a A b c ch CH Ch cs dz dzs ddz ddzs d e é E\u0301 f g gy ggy h i ı I İ ij j k l ll lj LJ nj ny n ñ o ö ø oe œ p q r ř rr s ss ß sz ssz t th ty u ü v w x y z zs aa å æ ae 0 00 1 9 10 42 007 ² _ - . @ / ' \u0301 \u0000 д Д ё щ α ά ω א ب か カ 가 각 中 文 😀 ﬁ ½"
    .split(' ')
    .concat(' ');

const text = (random: Random): string => Array.from({ length: random.below(9) }, () => random.pick(PARTS)).join('');

function changed(random: Random, from: string): string {
  const at = random.below(from.length + 1);
  switch (random.below(4)) {
    case 0:
      return from.toUpperCase();
    case 1:
      return from.normalize('NFD');
    case 2:
      return from.slice(0, at) + random.pick(PARTS) + from.slice(at);
    default:
      return from.slice(0, at) + from.slice(at + 1);
  }
}

function placeOf(collator: Collator, of: string): Buffer {
  const writer = new KeyWriter();
  writeTextPlace(writer, collator, of);
  return writer.finish();
}

describe('the places of texts in the order of a collation', () => {
  it(`are in the order of the texts, and those of equal texts are the same: PLACE_SEED=${String(SEED)}`, () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < COLLATIONS; round++) {
      const spec = {
        locale: random.pick(LOCALES),
        strength: 1 + random.below(5),
        numericOrdering: random.oneIn(3),
        caseLevel: random.oneIn(4),
        ...(random.oneIn(3) ? { alternate: 'shifted', maxVariable: random.pick(['punct', 'space']) } : {}),
      };
      const collator = collatorFor({ ...spec, ...(spec.strength > 2 && random.oneIn(3) ? { caseFirst: 'upper' } : {}) }) as Collator;
      const texts = [text(random)];
      while (texts.length < TEXTS) texts.push(random.oneIn(2) ? changed(random, random.pick(texts)) : text(random));
      const sorted = texts.sort(collator).map((of) => ({ of, place: placeOf(collator, of) }));
      for (const [at, { of, place }] of sorted.entries()) {
        const before = sorted[at - 1];
        if (!before) continue;
        const order = collator(before.of, of);
        const found = Buffer.compare(before.place, place);
        variety.tried(JSON.stringify([spec, of]));
        variety.took(order === 0 ? (before.of === of ? 'the same' : 'equal') : found === 0 ? 'shared' : 'apart');
        if (found > 0 || (order === 0 && found !== 0))
          expect({ spec, texts: [before.of, of], found }).toEqual({ spec, texts: [before.of, of], found: order });
        // No place begins another one: what stands behind it in a key does not count.
        if (found !== 0) expect(place.subarray(0, before.place.length).equals(before.place)).toBe(false);
      }
    }
    console.log(variety.report('places of texts', SEED));
    variety.expect(COLLATIONS * 80, { equal: COLLATIONS * 3, apart: COLLATIONS * 50, shared: COLLATIONS });
  });

  it.each([
    ['addresses that begin alike', { locale: 'en', strength: 2 }, (n: number) => `User${String(n).padStart(6, '0')}@example.com`],
    ['addresses of pages', { locale: 'en', strength: 1 }, (n: number) => `https://www.example.com/articles/2024/${String(n)}`],
    ['names in capitals', { locale: 'de', strength: 3 }, (n: number) => `MÜLLER ${n.toString(36)}`],
    [
      'names in other scripts',
      { locale: 'ru', strength: 2 },
      (n: number) => `Иванов ${[...String(n)].map((digit) => 'абвгдежзик'[Number(digit)]).join('')}`,
    ],
  ])('tell texts apart: %s', (_what, spec, textOf) => {
    const collator = collatorFor(spec) as Collator;
    const places = new Set(Array.from({ length: 1000 }, (_, n) => placeOf(collator, textOf(n)).toString('hex')));
    expect(places.size).toBe(1000);
  });

  it('tell numbers apart by their first digits, where numbers compare by value', () => {
    const collator = collatorFor({ locale: 'en', strength: 2, numericOrdering: true }) as Collator;
    const places = new Set(Array.from({ length: 1000 }, (_, n) => placeOf(collator, `room ${String(n)}`).toString('hex')));
    expect(places.size).toBe(1000);
  });
});

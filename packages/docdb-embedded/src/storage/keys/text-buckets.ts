import type { Collator } from '../../bson/collation.ts';

/** Letters whose pairs divide the texts of a language; other alphabets fall between them by their order. */
const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzабвгдежзиклмнопрстуфхцчшщэюяαβγδεζηθικλμνξοπρστυφχψω';
const buckets = new WeakMap<Collator, readonly string[]>();

/**
 * The place of a text in the order of a collation, coarsely: texts in order have buckets in order, and equal texts have the
 * same one. JavaScript compares by a collation but has no sort keys, so what shares a bucket is told apart by comparing.
 *
 * @returns a number from 0 to 65,535
 */
export function textBucket(collator: Collator, text: string): number {
  const pivots = buckets.get(collator) ?? pivotsOf(collator);
  let low = 0;
  let high = pivots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (collator(pivots[middle] as string, text) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pivotsOf(collator: Collator): readonly string[] {
  const letters = [...LETTERS];
  const latin = letters.slice(0, 36);
  const texts = [...letters, ...latin.flatMap((first) => latin.map((second) => first + second))].sort(collator);
  const pivots = texts.filter((text, index) => index === 0 || collator(texts[index - 1] as string, text) !== 0);
  buckets.set(collator, pivots);
  return pivots;
}

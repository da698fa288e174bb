import type { Collator } from '../../bson/collation.ts';
import type { KeyWriter } from './key-writer.ts';

const ASCII = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
/** Letters of other scripts; texts of those that are missing have a place, which they share. */
const SCRIPTS: readonly string[] = [
  'абвгґдђеёєжзиіїйјклљмнњопрстћуўфхцчџшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん',
  '가까나다따라마바빠사싸아자짜차카타파하',
];
/** Whole numbers that a text may go on with where numbers compare by value. */
const NUMBERS: readonly string[] = Array.from({ length: 15 }, (_, zeros) => `1${'0'.repeat(zeros + 1)}`);
/** Letters that a place tells apart. */
const DEPTH = 60;
/** A text that lies behind all that can follow is not told apart by what follows that. */
const MOST_LAST = 4;
/** Ends of texts whose followers are remembered. */
const MOST_ENDS = 50_000;

const orders = new WeakMap<Collator, TextOrder>();

/**
 * Writes the place of a text in the order of a collation: texts in order have places in order, and equal texts the same one.
 * JavaScript compares by a collation but has no sort keys. So it is asked between which texts of a known alphabet this one
 * lies, letter by letter; what shares a place is told apart by comparing.
 */
export function writeTextPlace(out: KeyWriter, collator: Collator, text: string): void {
  const known = orders.get(collator) ?? new TextOrder(collator);
  orders.set(collator, known);
  known.write(out, text);
}

/** The places of one collation. Each is an interval of texts; which ones it is divided into depends on it alone. */
class TextOrder {
  readonly #collator: Collator;
  readonly #numeric: boolean;
  /** Letters by script, in order; the first are those that all scripts have. */
  readonly #alphabets: readonly (readonly string[])[];
  readonly #scripts: ReadonlyMap<string, number>;
  readonly #beginnings: readonly string[];
  readonly #followers = new Map<string, readonly string[]>();

  constructor(collator: Collator) {
    this.#collator = collator;
    this.#numeric = collator.spec.numericOrdering === true;
    const numbers = this.#numeric ? NUMBERS : [];
    this.#alphabets = ['', ...SCRIPTS].map((letters) => this.#ordered('', [...ASCII, ...numbers, ...letters]));
    const latin = [...ASCII].filter((letter) => /[0-9a-z]/.test(letter));
    const written = [latin.slice(10).join(''), ...SCRIPTS];
    this.#scripts = new Map(written.flatMap((letters, at) => [...letters].map((letter) => [letter, at] as const)));
    this.#beginnings = this.#ordered('', [...latin, ...SCRIPTS.join(''), ...latin.flatMap((first) => latin.map((next) => first + next))]);
  }

  /** @returns what may follow a text, in order, without what makes no difference; nearly always what is given, as it is */
  #ordered(text: string, followers: readonly string[]): readonly string[] {
    if (this.#isInOrder(text, followers)) return followers;
    const compare = this.#collator;
    const all = [...followers].sort((a, b) => compare(text + a, text + b));
    return all.filter((follower, at) => compare(text + (all[at - 1] ?? ''), text + follower) < 0);
  }

  #isInOrder(text: string, followers: readonly string[]): boolean {
    let before = text;
    return followers.every((follower) => {
      const last = before;
      before = text + follower;
      return this.#collator(last, before) < 0;
    });
  }

  write(out: KeyWriter, text: string): void {
    const first = this.#before('', this.#beginnings, this.#beginnings.length, text);
    const at = out.take(2);
    out.bytes.writeUInt16BE(first, at);
    let low = first === 0 ? '' : (this.#beginnings[first - 1] as string);
    let high = this.#beginnings[first];
    for (let depth = 0, last = 0; depth < DEPTH && last < MOST_LAST; depth++) {
      const numbers = this.#numeric ? numbersBetween(low, high) : undefined;
      const head = numbers ? '' : low;
      const followers = numbers ?? this.#followersOf(low);
      const count = this.#below(head, followers, high);
      const place = this.#before(head, followers, count, text);
      out.byte(place);
      // Before all that can follow there is nothing to divide, but between numbers.
      if (place === 0 && !numbers) return;
      last = place === count ? last + 1 : 0;
      if (place < count) high = head + (followers[place] as string);
      if (place > 0) low = head + (followers[place - 1] as string);
    }
  }

  /** The order of what follows a text depends on its end: letters that count as one are no longer than that, and numbers are whole. */
  #followersOf(text: string): readonly string[] {
    const end = (this.#numeric ? /\d+$/.exec(text)?.[0] : undefined) ?? text.slice(-3);
    const script = this.#scriptOf(text);
    const key = `${String(script)}${end}`;
    const known = this.#followers.get(key);
    if (known) return known;
    if (this.#followers.size >= MOST_ENDS) this.#followers.clear();
    const followers = this.#ordered(end, this.#alphabets[script] ?? []);
    this.#followers.set(key, followers);
    return followers;
  }

  /** @returns the script that a text ends in, behind which there may be signs and digits */
  #scriptOf(text: string): number {
    for (let at = text.length - 1; at >= 0; at--) {
      const script = this.#scripts.get(text.charAt(at));
      if (script !== undefined) return script;
    }
    return 0;
  }

  /** @returns how many of the followers come before the end of an interval */
  #below(head: string, followers: readonly string[], high: string | undefined): number {
    const { length } = followers;
    if (high === undefined || length === 0 || this.#collator(head + (followers[length - 1] as string), high) < 0) return length;
    return half(length, (at) => this.#collator(head + (followers[at] as string), high) < 0);
  }

  /** @returns how many of the first followers do not come after a text */
  #before(head: string, followers: readonly string[], count: number, text: string): number {
    const compare = this.#collator;
    // Most texts are written in these letters: two comparisons tell.
    const guess = followers.indexOf(text.charAt(head.length).toLowerCase());
    if (guess >= 0 && guess < count && compare(head + (followers[guess] as string), text) <= 0)
      if (guess + 1 === count || compare(text, head + (followers[guess + 1] as string)) < 0) return guess + 1;
    if (count === 0 || compare(text, head + (followers[0] as string)) < 0) return 0;
    return half(count, (at) => compare(head + (followers[at] as string), text) <= 0);
  }
}

/** @returns how many of the first positions a condition holds for, which holds up to one of them */
function half(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns texts with the numbers that divide an interval between two that differ in their last number; `undefined` for others */
function numbersBetween(low: string, high: string | undefined): readonly string[] | undefined {
  const from = /\d+$/.exec(low);
  const to = high === undefined ? null : /\d+$/.exec(high);
  if (!from || !to || low.slice(0, from.index) !== high?.slice(0, to.index)) return undefined;
  const [first, end] = [Number(from[0]), Number(to[0])];
  const step = Math.ceil((end - first) / 10);
  if (!Number.isSafeInteger(end) || end - first < 2) return undefined;
  return Array.from({ length: 9 }, (_, at) => first + (at + 1) * step)
    .filter((number) => number < end)
    .map((number) => low.slice(0, from.index) + String(number));
}

/** Longest pattern that is tried, and most repetitions of a part. */
const LONGEST = 200;

/**
 * Makes a text that a pattern matches.
 *
 * @param pattern a regular expression of JavaScript
 * @param length least number of characters. Default: 0
 * @returns `undefined` for a pattern of which no text is known
 */
export function textLike(pattern: string, length = 0): string | undefined {
  if (pattern.length > LONGEST) return undefined;
  try {
    const matches = new RegExp(pattern, 'u');
    for (const least of [1, length, length + 1]) {
      const text = new PatternReader(pattern, least).text();
      if (text.length >= length && matches.test(text)) return text;
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/** Reads a pattern from left to right, and takes the first of what it allows. Whatever it does not know, it throws. */
class PatternReader {
  readonly #pattern: string;
  readonly #least: number;
  #at = 0;

  /** @param least how often something is repeated that has no upper bound */
  constructor(pattern: string, least: number) {
    this.#pattern = pattern;
    this.#least = least;
  }

  text(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Error('There is more behind the pattern');
    return text;
  }

  #alternatives(): string {
    const first = this.#sequence();
    while (this.#takes('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#next())) {
      const part = this.#part();
      text += part.repeat(this.#times());
    }
    return text;
  }

  #part(): string {
    const character = this.#take();
    if (character === '^' || character === '$') return '';
    if (character === '(') return this.#group();
    if (character === '[') return this.#class();
    if (character === '\\') return this.#escape();
    if (character === '.') return 'a';
    if ('*+?{'.includes(character)) throw new Error('Nothing is repeated');
    return character;
  }

  #group(): string {
    if (this.#takes('?') && !this.#takes(':')) throw new Error('Only plain groups are known');
    const text = this.#alternatives();
    if (!this.#takes(')')) throw new Error('The group has no end');
    return text;
  }

  #class(): string {
    if (this.#takes('^')) throw new Error('What is left out is not known');
    const first = this.#take();
    const text = first === '\\' ? this.#escape() : first;
    while (!this.#takes(']')) this.#take();
    return text;
  }

  #escape(): string {
    const character = this.#take();
    if (character === 'd') return '1';
    if (character === 'w') return 'a';
    if (character === 's') return ' ';
    if (/[A-Za-z0-9]/.test(character)) throw new Error('The escape is not known');
    return character;
  }

  /** How often the part before is repeated. */
  #times(): number {
    const [quantifier] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (quantifier === undefined) return 1;
    this.#at += quantifier.length;
    if (quantifier.startsWith('?')) return 0;
    if (!quantifier.startsWith('{')) return Math.min(LONGEST, Math.max(1, this.#least));
    const [from = 0, to = from] = quantifier
      .replace(/[{}?]/g, '')
      .split(',')
      .map((bound) => (bound === '' ? Infinity : Number(bound)));
    return Math.min(to, LONGEST, Math.max(from, this.#least));
  }

  #next(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #take(): string {
    const character = this.#pattern[this.#at];
    if (character === undefined) throw new Error('The pattern ends too early');
    this.#at += 1;
    return character;
  }

  #takes(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }
}

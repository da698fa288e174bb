import { invalid, type Node, type Pattern, type Repeat, unsupported } from './nodes.ts';

/** A pattern in the form of JavaScript. */
export interface Emitted {
  readonly source: string;
  /** Where the captures of the pattern are among those of the expression. */
  readonly captures: readonly number[];
}

/** Writes a pattern in the form of JavaScript, with the flag `u`. */
export function emit(pattern: Pattern): Emitted {
  const writer = new Writer(pattern);
  const source = writer.write(pattern.root);
  return { source, captures: Array.from({ length: pattern.captures }, (_unused, at) => writer.places.get(at + 1) ?? 0) };
}

class Writer {
  readonly places = new Map<number, number>();
  readonly #pattern: Pattern;
  #count = 0;

  constructor(pattern: Pattern) {
    this.#pattern = pattern;
  }

  write(node: Node): string {
    switch (node.kind) {
      case 'set':
      case 'place':
        return node.source;
      case 'keep':
        throw unsupported('\\K inside of a group');
      case 'back':
        return this.#back(node.group);
      case 'sequence':
        return this.#sequence(node.parts);
      case 'choice':
        return `(?:${node.branches.map((branch) => this.write(branch)).join('|')})`;
      case 'repeat':
        return this.#repeat(node.of, node.repeat);
      case 'capture':
        this.places.set(node.number, ++this.#count);
        return `(${this.write(node.of)})`;
      case 'plain':
        return `(?:${this.write(node.of)})`;
      case 'atomic':
        return this.#atomic(() => this.write(node.of));
      case 'ahead':
        return `(?=${this.write(node.of)})`;
      case 'notAhead':
        return `(?!${this.write(node.of)})`;
      case 'behind':
        return `(?<=${this.write(node.of)})`;
      case 'notBehind':
        return `(?<!${this.write(node.of)})`;
    }
  }

  /** What was found before `\K` does not belong to the match. */
  #sequence(parts: readonly Node[]): string {
    const at = parts.findLastIndex(({ kind }) => kind === 'keep');
    const texts = parts.map((part) => (part.kind === 'keep' ? '' : this.write(part)));
    if (at < 0) return texts.join('');
    return `(?<=${texts.slice(0, at).join('')})${texts.slice(at + 1).join('')}`;
  }

  #repeat(of: Node, { least, most, mode }: Repeat): string {
    const count =
      least === 0 && most === 1
        ? '?'
        : most === Infinity
          ? least === 0
            ? '*'
            : least === 1
              ? '+'
              : `{${String(least)},}`
          : `{${String(least)},${String(most)}}`;
    const text = (): string => `(?:${this.write(of)})${count}${mode === 'lazy' ? '?' : ''}`;
    return mode === 'possessive' ? this.#atomic(text) : text();
  }

  /** What a look ahead has found is not looked for again. */
  #atomic(write: () => string): string {
    const place = ++this.#count;
    return `(?=(${write()}))\\${String(place)}(?:)`;
  }

  #back(group: number | string): string {
    const number = typeof group === 'string' ? this.#pattern.names.get(group) : group;
    if (number === undefined || number < 1 || number > this.#pattern.captures)
      throw invalid(`reference to non-existent subpattern ${String(group)}`);
    const place = this.places.get(number);
    if (place === undefined) throw unsupported('a reference to a group that comes later');
    return `\\${String(place)}(?:)`;
  }
}

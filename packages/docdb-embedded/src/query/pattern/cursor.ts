import { invalid } from './nodes.ts';

/** Options that hold at a place of a pattern. */
export interface Flags {
  readonly ignoreCase: boolean;
  /** `^` and `$` are also at the beginnings and ends of lines. */
  readonly lines: boolean;
  readonly dotAll: boolean;
  /** White space and comments do not count. */
  readonly extended: boolean;
}

/** How far a pattern was read. */
export class Cursor {
  readonly #source: string;
  #at = 0;
  flags: Flags;
  /** Whether letters of both cases are the same in the whole pattern. */
  readonly ignoreCase: boolean;
  /** Whether `\w` and its kin stand for all of Unicode. */
  readonly wide: boolean;
  readonly names: Map<string, number> = new Map<string, number>();
  captures = 0;

  constructor(source: string, flags: Flags, wide: boolean) {
    this.#source = source;
    this.flags = flags;
    this.ignoreCase = flags.ignoreCase;
    this.wide = wide;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  get rest(): string {
    return this.#source.slice(this.#at);
  }

  sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** @param expression has the flag `y` */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }

  /** @returns the next character. @throws DocDbError (51091) at the end */
  next(): string {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) throw invalid('the pattern ends too early');
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  /** Passes over what does not count. */
  skipComments(): void {
    for (;;) {
      const comment = this.match(/\(\?#[^)]*\)/y);
      const blank = this.flags.extended ? this.match(/[ \t\n\v\f\r]+|#[^\n]*/y) : null;
      if (!comment && !blank) return;
    }
  }

  openCapture(name: string | undefined): number {
    this.captures += 1;
    if (name !== undefined) {
      if (this.names.has(name)) throw invalid(`two named subpatterns have the same name: ${name}`);
      this.names.set(name, this.captures);
    }
    return this.captures;
  }
}

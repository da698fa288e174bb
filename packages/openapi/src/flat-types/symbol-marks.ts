import type ts from 'typescript';
import type { FreeNames } from './free-names.ts';

/** Symbols that mark types (`string & { [brand]: 'UserId' }`): the written file has symbols of its own in their place. */
export class SymbolMarks {
  readonly #names: FreeNames;
  readonly #known = new Map<ts.__String, string>();

  constructor(names: FreeNames) {
    this.#names = names;
  }

  /** Whether a property has a symbol in the place of its name. */
  static is(name: ts.__String): boolean {
    // What the compiler has made up; a name that somebody wrote so begins with three underscores here.
    return String(name).startsWith('__@');
  }

  /** @returns the name of the symbol in the written file */
  nameOf(name: ts.__String): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const [, word = ''] = /^__@([A-Za-z_$][\w$]*)@\d+$/.exec(String(name)) ?? [];
    const given = this.#names.take(`${word}Symbol`);
    this.#known.set(name, given);
    return given;
  }

  get declarations(): string {
    return [...this.#known.values()].map((name) => `declare const ${name}: unique symbol;\n`).join('');
  }
}

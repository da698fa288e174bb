/** Names of what a written file declares, and uses of the language: each is given once. */
export class FreeNames {
  readonly #taken = new Set<string>(['Services', 'Date', 'Promise', 'Record', 'Uppercase', 'Lowercase', 'Capitalize', 'Uncapitalize']);

  /** @returns the name that is asked for, with a number where that is taken */
  take(wish: string): string {
    let name = wish;
    for (let number = 2; this.#taken.has(name); number++) name = `${wish}${String(number)}`;
    this.#taken.add(name);
    return name;
  }
}

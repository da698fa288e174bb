/** Counts what a random test has tried, so that it can show that it tried much: a generator that repeats itself proves nothing. */
export class Variety {
  readonly #cases = new Set<string>();
  readonly #branches = new Map<string, number>();
  #tried = 0;

  /** @param name what stands for the case; equal ones are one case */
  tried(name: string): void {
    this.#tried += 1;
    this.#cases.add(name);
  }

  /** Notes that something of interest has happened. */
  took(branch: string): void {
    this.#branches.set(branch, (this.#branches.get(branch) ?? 0) + 1);
  }

  /** @returns how many cases were different */
  get distinct(): number {
    return this.#cases.size;
  }

  /** @returns how often each of the branches was taken; a missing one is 0 */
  count(branch: string): number {
    return this.#branches.get(branch) ?? 0;
  }

  /** @returns one line that says what was tried */
  report(title: string, seed: number): string {
    const branches = [...this.#branches].map(([name, count]) => `${name} ${count}`).join(', ');
    return `${title}: seed ${seed}, ${this.#tried} cases, ${this.distinct} different; ${branches}`;
  }

  /**
   * @param distinct least number of different cases
   * @param branches least number of times for each branch
   * @throws Error that names what fell short
   */
  expect(distinct: number, branches: Readonly<Record<string, number>>): void {
    const short = Object.entries(branches).filter(([name, least]) => this.count(name) < least);
    const faults = short.map(([name, least]) => `'${name}' ${this.count(name)} times of ${least}`);
    if (this.distinct < distinct) faults.push(`${this.distinct} different cases of ${distinct}`);
    if (faults.length > 0) throw new Error(`The random test did not vary: ${faults.join('; ')}`);
  }
}

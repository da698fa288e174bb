/** Values that leave in the order in which they came. */
export class Moving<T> {
  #values: T[] = [];
  /** How many of them have left. */
  #gone = 0;

  get size(): number {
    return this.#values.length - this.#gone;
  }

  get first(): T | undefined {
    return this.#values[this.#gone];
  }

  get last(): T | undefined {
    return this.size === 0 ? undefined : this.#values.at(-1);
  }

  add(value: T): void {
    this.#values.push(value);
  }

  /** Takes out the value that came first. */
  remove(): void {
    this.#gone += 1;
    // Each is moved once in as many steps as there are.
    if (this.#gone * 2 <= this.#values.length) return;
    this.#values = this.#values.slice(this.#gone);
    this.#gone = 0;
  }

  values(): readonly T[] {
    return this.#values.slice(this.#gone);
  }
}

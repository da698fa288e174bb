/** A list that is added to at one end and taken from at the other, without moving what is between. */
export class Queue<T> {
  #items: T[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** @returns the item at a place, the oldest at 0 */
  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the oldest item out. */
  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    // What was taken out is not to be kept until the list is cut.
    Reflect.deleteProperty(this.#items, this.#head);
    this.#head += 1;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** @returns the number of items in front of the first one that passes; items that pass stand behind those that do not */
  countBefore(passes: (item: T) => boolean): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (passes(this.#items[this.#head + middle] as T)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

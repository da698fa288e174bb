/** Where a client keeps its tokens: `localStorage`, `sessionStorage`, or anything like them, also with promises. */
export interface TokenStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** Keeps tokens while the page is open, and no longer. */
export class MemoryStorage implements TokenStorage {
  readonly #items = new Map<string, string>();

  getItem(key: string): string | undefined {
    return this.#items.get(key);
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }

  removeItem(key: string): void {
    this.#items.delete(key);
  }
}

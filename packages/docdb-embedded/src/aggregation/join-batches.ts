import { FEW } from './stages/join-source.ts';

/** Bytes that a join passes on at once, or what one document is joined with. */
const JOINED = 4 * 1024 * 1024;
/** Documents that a join begins with: more than the few that are joined one by one. */
const FIRST = 2 * FEW;
/** How much larger or smaller the next number of documents is. */
const FACTOR = 4;
/** What a document costs more in a batch that is not worth it. */
const DEARER = 1.5;

/**
 * How many documents a join takes at once. What they are joined with decides how much memory it needs, and how long others
 * wait for their turn; but a join that reads the other collection once for all of a batch is cheaper with many.
 */
export class JoinBatches {
  readonly #longest: number;
  readonly #most: number;
  /** What a document cost in batches of a size, in milliseconds. */
  readonly #costs = new Map<number, number>();
  #size = FIRST;

  /**
   * @param longest milliseconds after which others should have their turn
   * @param most bytes that it passes on at once
   */
  constructor(longest: number, most: number = JOINED) {
    this.#longest = longest;
    this.#most = most;
  }

  /** How many documents to take next. */
  get size(): number {
    return this.#size;
  }

  /** Notes what a batch has come to. */
  note({ documents, bytes, milliseconds }: { readonly documents: number; readonly bytes: number; readonly milliseconds: number }): void {
    const size = this.#size;
    this.#costs.set(size, milliseconds / documents);
    const smaller = Math.max(1, Math.floor(size / FACTOR));
    if (bytes > this.#most) this.#size = smaller;
    else if (milliseconds <= this.#longest) this.#size = this.#isShort(size * FACTOR) ? size * FACTOR : size;
    else if (this.#isWorth(smaller, size)) this.#size = smaller;
    else if (this.#isWorth(size * FACTOR, size)) this.#size = size * FACTOR;
  }

  /** Whether a batch may be as short as it has to be. */
  #isShort(size: number): boolean {
    return (this.#costs.get(size) ?? 0) * size <= this.#longest;
  }

  /** Whether a document would cost about as much in a batch of another size, or nothing is known of it. */
  #isWorth(other: number, size: number): boolean {
    const [cost = 0, now = 0] = [this.#costs.get(other), this.#costs.get(size)];
    return other < size ? cost <= now * DEARER : cost * DEARER <= now;
  }
}

import { compareOrder, type Order } from '../log/position.ts';

/** Most clients that wait for a place in the log: what they say is theirs, and may be a place that never comes. */
const MOST = 1000;

/** Waits for a place in the log. */
interface Waiting {
  readonly order: Order;
  readonly reached: () => void;
}

/** Clients that have got more elsewhere than this process has read. */
export class Reaching {
  readonly #waiting = new Set<Waiting>();

  /** Says how far this process has read. */
  reached(order: Order): void {
    for (const waiting of this.#waiting) if (compareOrder(order, waiting.order) >= 0) waiting.reached();
  }

  /**
   * Waits until this process has read as far as a place.
   *
   * @param milliseconds that it may take
   * @returns `undefined` where too many wait already
   */
  wait(order: Order, milliseconds: number): Promise<void> | undefined {
    if (this.#waiting.size >= MOST) return undefined;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        order,
        reached: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          resolve();
        },
      };
      const timer = setTimeout(waiting.reached, milliseconds).unref();
      this.#waiting.add(waiting);
    });
  }
}

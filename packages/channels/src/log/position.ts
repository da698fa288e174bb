/**
 * Where an entry stands in a log: one to three whole numbers, compared from the first to the last. A log without a clock counts; a
 * database gives time, increment, and the place among entries of one write.
 */
export type Order = readonly number[];

/** A place in a log, and which log that is. */
export interface Position {
  /** Changes when positions of before mean nothing any more. */
  readonly epoch: string;
  readonly order: Order;
}

/** @returns a negative number when `a` comes first, 0 when both are the same place */
export function compareOrder(a: Order, b: Order): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** @returns the text of an order, for example `1f.2`: base 36, joined with dots */
export function orderText(order: Order): string {
  return order.map((part) => part.toString(36)).join('.');
}

/** @returns the order that a text stands for; `undefined` for text that is none */
export function parseOrder(text: string): Order | undefined {
  if (!ORDER.test(text)) return undefined;
  const order = text.split('.').map((part) => parseInt(part, 36));
  return order.every(Number.isSafeInteger) ? order : undefined;
}

const ORDER = /^[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11}){0,2}$/;

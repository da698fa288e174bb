import { expect } from '@jest/globals';
import type { Client, Got } from './clients.ts';

/** Waits until something is so. */
export async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await wait(10);
}

export const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until clients have got a number that was written behind all others. */
export function haveGot(clients: readonly Client[], last: number): Promise<void> {
  return until(() => clients.every(({ got }) => got.includes(last, -100)));
}

/** All that was written came to each client once, in one order; to one that was told to read again, up to there and from there on. */
export function expectOneOrder(all: readonly Got[], written: readonly number[]): void {
  const whole = all.filter((got) => !got.includes('reset'));
  expect(whole.length).toBeGreaterThan(0);
  const [order = []] = whole;
  expect([...order].sort((a, b) => Number(a) - Number(b))).toEqual([...written].sort((a, b) => a - b));
  for (const got of whole) expect(got).toEqual(order);
  const places = new Map(order.map((number, place) => [number, place]));
  for (const got of all.filter((each) => each.includes('reset'))) {
    for (const piece of pieces(got)) {
      const from = places.get(piece[0] as number) as number;
      expect(piece).toEqual(order.slice(from, from + piece.length));
    }
  }
}

function pieces(got: Got): Got[] {
  const found: Got[] = [[]];
  for (const each of got) {
    if (each === 'reset') found.push([]);
    else found.at(-1)?.push(each);
  }
  return found.filter((piece) => piece.length > 0);
}

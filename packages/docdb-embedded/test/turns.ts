import { jest } from '@jest/globals';
import type { Db } from 'mongodb';
import { SLICE } from '../src/commands/operation.ts';

/**
 * Asks a server for something else, again and again, while it works in this process. The clock moves on by a part of a slice at
 * each look at it, and not with the machine: how many turns the work gives is the same on a slow one and on a fast one.
 *
 * @returns what the work came to, and how often somebody else was answered before
 */
export async function answeredDuring<T>(db: Db, work: () => Promise<T>): Promise<{ result: T; answered: number }> {
  let now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += SLICE / 8));
  let answered = 0;
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  try {
    const working = work();
    working.then(over, over);
    for (;;) {
      await db.command({ ping: 1 });
      if (isOver) return { result: await working, answered };
      answered += 1;
    }
  } finally {
    clock.mockRestore();
  }
}

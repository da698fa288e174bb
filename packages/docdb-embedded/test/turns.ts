import { jest } from '@jest/globals';
import type { Db } from 'mongodb';
import { SLICE } from '../src/commands/operation.ts';

/**
 * Lets the clock move on by a part of a slice at each look at it, and not with the machine, while a server works in this process: how many
 * turns the work gives is the same on a slow one and on a fast one.
 */
export async function inManyTurns<T>(work: () => Promise<T>): Promise<T> {
  let now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += SLICE / 8));
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

/**
 * Asks a server for something else, again and again, while it works in this process.
 *
 * @returns what the work came to, and how often somebody else was answered before
 */
export function answeredDuring<T>(db: Db, work: () => Promise<T>): Promise<{ result: T; answered: number }> {
  return inManyTurns(async () => {
    let answered = 0;
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    const working = work();
    working.then(over, over);
    for (;;) {
      await db.command({ ping: 1 });
      if (isOver) return { result: await working, answered };
      answered += 1;
    }
  });
}

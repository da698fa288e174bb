import { TooManyRequests } from '@framework/errors';

/** Hashes that run at once (decisions 0007). */
export const CONCURRENCY = 2;
/** Hashes that may wait. */
export const QUEUE_LENGTH = 100;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs expensive work in turn, so that logins never take every core.
 *
 * @param work starts the work
 * @throws TooManyRequests (429) when too many wait already (security S25)
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENCY) {
    if (waiting.length >= QUEUE_LENGTH) throw new TooManyRequests('Too many logins at once. Try again in a moment', { retryAfter: 1 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

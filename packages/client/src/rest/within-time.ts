import { FrameworkClientError } from '../errors/client-error.ts';

/** Milliseconds, 23 days: a timer takes hardly more. */
const LONGEST = 2e9;

/**
 * Runs something that ends in time, whatever it waits for.
 *
 * @param timeout milliseconds; `0` or nothing for none
 * @param signal of the caller
 * @param run gets a signal that is aborted at the end of the time, and with the caller's
 * @throws FrameworkClientError (408, `timeout`); the reason of the caller's signal
 */
export async function withinTime<T>(
  timeout: number | undefined,
  signal: AbortSignal | undefined,
  run: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal: ended } = controller;
  // First of those that listen, since what is aborted fails with words of its own.
  const failed = new Promise<never>((_, reject) => ended.addEventListener('abort', () => reject(ended.reason)));
  const stop = (): void => controller.abort(signal?.reason);
  const late = (): void => controller.abort(new FrameworkClientError('timeout', `No answer in ${timeout} ms`, { code: 408 }));
  // For more than it takes a timer ends at once.
  const timer = setTimeout(late, Math.min(LONGEST, timeout || LONGEST));
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted) stop();
    return await Promise.race([failed, ended.aborted ? failed : run(ended)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

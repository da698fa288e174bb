import { FrameworkClientError } from '../errors/client-error.ts';

/**
 * Runs something that ends in time, whatever it waits for.
 *
 * @param timeout milliseconds; `0` for none
 * @param signal of the caller
 * @param run gets a signal that is aborted at the end of the time, and with the caller's
 * @throws FrameworkClientError (408, `timeout`); the reason of the caller's signal
 */
export async function withinTime<T>(timeout: number, signal: AbortSignal | undefined, run: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown): void => {
      // First, since what is aborted fails with words of its own.
      reject(reason);
      controller.abort(reason);
    };
    stop = () => {
      end(signal?.reason);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
    if (timeout > 0)
      timer = setTimeout(() => end(new FrameworkClientError('timeout', `The server gave no answer within ${String(timeout)} ms`)), timeout);
  });
  try {
    return await Promise.race([ended, signal?.aborted ? ended : run(controller.signal)]);
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener('abort', stop);
  }
}

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
  let end: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (reason) => {
      // First, since what is aborted fails with words of its own.
      reject(reason);
      controller.abort(reason);
    };
  });
  const stop = (): void => end(signal?.reason);
  const late = (): void => end(new FrameworkClientError('timeout', `No answer within ${timeout} ms`, { code: 408 }));
  const timer = timeout > 0 ? setTimeout(late, timeout) : undefined;
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted) stop();
    return await Promise.race([ended, controller.signal.aborted ? ended : run(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Waits.
 *
 * @param milliseconds how long
 * @param signal ends the wait at once
 */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return new Promise<unknown>((resolve: (value?: unknown) => void) => {
    const timer = setTimeout(end, milliseconds);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
  });
}

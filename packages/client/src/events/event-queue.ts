/** An event of a service, for `for await`. `reset` says that events were missed: what is shown has to be read again. */
export interface QueuedEvent {
  readonly type: string;
  readonly data?: unknown;
}

/**
 * Events that wait for whoever takes them, up to a number: beyond it they are dropped, and `reset` is told in their place.
 *
 * @param most how many wait
 * @param open begins to listen, and gives what ends it
 * @param signal ends it
 */
export async function* eventQueue(
  most: number,
  open: (add: (event: QueuedEvent) => void) => () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<QueuedEvent, void, undefined> {
  let waiting: QueuedEvent[] = [];
  let wake: (() => void) | undefined;
  const close = open((event) => {
    waiting = waiting.length >= most ? [{ type: 'reset' }] : [...waiting, event];
    wake?.();
  });
  const stop = (): void => wake?.();
  signal?.addEventListener('abort', stop);
  try {
    while (!signal?.aborted) {
      const [event, ...rest] = waiting;
      waiting = rest;
      if (event) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    close();
  }
}

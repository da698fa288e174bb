/** An event of a service, for `for await`. `reset` says that events were missed: what is shown has to be read again. */
export interface QueuedEvent {
  readonly type: string;
  readonly data?: unknown;
}

/**
 * Events that wait for whoever takes them, up to a number: beyond it they are dropped, and `reset` is told in their place.
 *
 * @param most how many wait
 * @param open begins to listen, and gives what ends that; `end` ends the queue, with what waits in it
 * @param signal ends it
 */
export function eventQueue(
  most: number,
  open: (add: (event: QueuedEvent) => void, end: () => void) => () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<QueuedEvent, void, undefined> {
  let waiting: QueuedEvent[] = [];
  let wake: (() => void) | undefined;
  let isOver = signal?.aborted;
  const end = (): void => {
    isOver = true;
    wake?.();
  };
  const add = (event: QueuedEvent): void => {
    waiting = waiting.length >= most ? [{ type: 'reset' }] : [...waiting, event];
    wake?.();
  };
  async function* take(): AsyncGenerator<QueuedEvent, void, undefined> {
    const close = open(add, end);
    signal?.addEventListener('abort', end);
    try {
      while (!isOver) {
        const [event, ...rest] = waiting;
        waiting = rest;
        if (event) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal?.removeEventListener('abort', end);
      close();
    }
  }
  const events = take();
  const finish = events.return.bind(events);
  // A generator that waits hears of its end only when the wait is over.
  events.return = (value) => {
    end();
    return finish(value);
  };
  return events;
}

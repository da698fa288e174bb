import { AsyncLocalStorage } from 'node:async_hooks';

/** Starts that the present code belongs to. */
interface Inside {
  readonly start: object;
  readonly outer: Inside | undefined;
}

const inside = new AsyncLocalStorage<Inside>();
let open = 0;

/**
 * Runs a start, so that what its hooks and services call is known to be a part of it.
 *
 * @param start stands for it
 */
export function inStart(start: object, work: () => Promise<void>): Promise<void> {
  open += 1;
  const done = inside.run({ start, outer: inside.getStore() }, work);
  const close = (): void => {
    open -= 1;
    // Following asynchronous contexts slows all promises of a process down.
    if (open === 0) inside.disable();
  };
  done.then(close, close);
  return done;
}

/** @returns whether the present code belongs to a start, which would wait for itself */
export function isInStart(start: object): boolean {
  for (let at = inside.getStore(); at; at = at.outer) if (at.start === start) return true;
  return false;
}

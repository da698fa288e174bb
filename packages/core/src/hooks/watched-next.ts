import { CallContext } from './call-context.ts';

/** A promise that says when somebody asks for what it gives. */
class AskedPromise extends Promise<unknown> {
  #asked: (() => void) | undefined;

  // What `then` and `catch` give is nobody's to watch.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static watch(promise: AskedPromise, asked: () => void): void {
    promise.#asked = asked;
  }

  override then<T = unknown, E = never>(
    fulfilled?: ((value: unknown) => T | PromiseLike<T>) | null,
    failed?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    this.#asked?.();
    return super.then(fulfilled, failed);
  }
}

/**
 * What `next` gives to a hook that has not been seen yet to ask for it at once. One that does not, for lack of an `await`, would end the process with the first call
 * that fails: its error is taken, and told. So would one that waits for something else first, if that call fails meanwhile.
 *
 * @param rest what the hook has begun
 * @param asked called where somebody asks in the same turn: the hook waits for what it begins, and need not be watched any more
 */
export function watched(context: CallContext, rest: Promise<unknown>, asked: () => void): Promise<unknown> {
  let isAskedFor = false;
  let isSameTurn = true;
  // Behind all that the hook does before it waits for something else.
  queueMicrotask(() => {
    process.nextTick(() => {
      isSameTurn = false;
    });
  });
  const promise = new AskedPromise((resolve) => {
    resolve(rest);
  });
  rest.then(undefined, (error: unknown) => {
    if (!isAskedFor) CallContext.tellError(context, error, () => isAskedFor);
  });
  // Taken here whether anybody asks or not: who does gets it all the same.
  promise.then(undefined, () => undefined);
  AskedPromise.watch(promise, () => {
    isAskedFor = true;
    if (isSameTurn) asked();
  });
  return promise;
}

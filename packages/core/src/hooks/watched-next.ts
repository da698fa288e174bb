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
 * What `next` gives to a hook that has not been seen yet to ask for it. One that does not, for lack of an `await`, would end the process with the first call that
 * fails: its error is taken, and told.
 *
 * @param rest what the hook has begun
 * @param asked called once somebody asks: the hook waits for what it begins, and need not be watched any more
 */
export function watched(context: CallContext, rest: Promise<unknown>, asked: () => void): Promise<unknown> {
  let isAskedFor = false;
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
    asked();
  });
  return promise;
}

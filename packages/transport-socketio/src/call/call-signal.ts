import { addCallSignal } from '@framework/core';
import { FrameworkError } from '@framework/errors';

/** Gives the calls of one connection a signal that is aborted when the client goes away before it has its answer. */
export class CallSignals {
  /** Made for the first signal that is read: most connections have none. */
  #open: Set<AbortController> | undefined;
  #gone = false;

  /**
   * Adds `signal` to the parameters of a call. It is made when somebody reads it first, and is not part of their JSON.
   *
   * @param params parameters of a call; changed
   * @returns to be called when the call is over
   */
  add(params: object): () => void {
    let controller: AbortController | undefined;
    let over = false;
    const make = (): AbortController => this.#make(over);
    addCallSignal(params, {
      get signal() {
        return (controller ??= make()).signal;
      },
    });
    return () => {
      over = true;
      if (controller) this.#open?.delete(controller);
    };
  }

  #make(over: boolean): AbortController {
    const controller = new AbortController();
    Object.defineProperty(controller.signal, 'toJSON', { value: () => undefined });
    if (over) return controller;
    if (this.#gone) controller.abort(clientGone());
    else (this.#open ??= new Set()).add(controller);
    return controller;
  }

  /** Says that the client has gone. */
  abort(): void {
    this.#gone = true;
    for (const controller of this.#open ?? []) controller.abort(clientGone());
    this.#open = undefined;
  }
}

function clientGone(): FrameworkError {
  return new FrameworkError('The client has gone away', 'ClientClosedRequest', 499, 'client-closed-request');
}

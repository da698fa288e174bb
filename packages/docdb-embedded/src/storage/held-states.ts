import type { ReadState } from './engine.ts';

/** Milliseconds after which a state is let go; half of them until the next is held. */
const COPY_TIME = 1000;

/** States that keep the pages of the last half second from being used again: a copy that somebody makes of the folder meanwhile is whole. */
export class HeldStates {
  readonly #read: () => ReadState;
  readonly #states: ReadState[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param read gives the present state */
  constructor(read: () => ReadState) {
    this.#read = read;
    this.#hold();
    this.#timer = setInterval(() => {
      this.#hold();
    }, COPY_TIME / 2);
    this.#timer.unref();
  }

  /** Lets all of them go, and holds no other. */
  release(): void {
    clearInterval(this.#timer);
    for (const state of this.#states.splice(0)) state.done();
  }

  #hold(): void {
    this.#states.push(this.#read());
    if (this.#states.length > 2) this.#states.shift()?.done();
  }
}

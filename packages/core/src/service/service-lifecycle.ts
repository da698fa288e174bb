import { AsyncLocalStorage } from 'node:async_hooks';

/** Gates whose work the present code belongs to. */
interface Inside {
  readonly gate: Gate;
  readonly outer: Inside | undefined;
}

const inside = new AsyncLocalStorage<Inside>();
let open = 0;

/**
 * Holds calls back while services that were added after `app.setup` are set up, and the start of an application while one that is mounted in it starts, except for
 * what the work behind the gate calls itself.
 */
export class Gate {
  /** Settles as the work does, for whoever the work does not call. */
  readonly done: Promise<unknown>;
  /** Gates that the work behind this one waits at. */
  readonly #waitsAt = new Set<Gate>();

  /**
   * @param work sets up what is behind the gate
   * @param ended told of the end of it; with an error, the calls that wait get that error
   */
  constructor(work: () => unknown, ended: (error?: unknown) => void = () => undefined) {
    open += 1;
    const store = { gate: this, outer: inside.getStore() };
    this.done = inside.run(store, async () => work());
    const close = (): void => {
      open -= 1;
      // Following asynchronous contexts slows all promises of a process down.
      if (open === 0) inside.disable();
    };
    this.done.then(
      () => {
        close();
        ended();
      },
      (error: unknown) => {
        close();
        ended(error);
      },
    );
  }

  /**
   * Resolves when a call may go on; rejects with the error of the work. Where this work waits for the caller's, one of both has to go on: two services may call
   * each other in their `setup`.
   */
  async wait(): Promise<void> {
    const from = inside.getStore();
    if (from === undefined) {
      await this.done;
      return;
    }
    for (let at: Inside | undefined = from; at; at = at.outer) if (this.#waitsFor(at.gate)) return;
    const { gate } = from;
    gate.#waitsAt.add(this);
    try {
      await this.done;
    } finally {
      gate.#waitsAt.delete(this);
    }
  }

  #waitsFor(other: Gate): boolean {
    return this === other || [...this.#waitsAt].some((gate) => gate.#waitsFor(other));
  }
}

type State = 'new' | 'started' | 'stopped';

/**
 * Calls `setup` and `teardown` of a service once each in turn, however many applications have it and however often they start and stop.
 */
export class ServiceLifecycle {
  /** Set while calls have to wait for a late `setup`, and after one that failed. */
  gate: Gate | undefined;
  #state: State = 'new';
  #pending: Promise<unknown> = Promise.resolve();

  /** Whether `setup` is still to be called. */
  get waiting(): boolean {
    return this.#state !== 'started';
  }

  /**
   * @param work calls the service's `setup`
   * @returns settles with it; when it fails, the next call tries again
   */
  setup(work: () => unknown): Promise<unknown> {
    if (this.#state === 'started') return this.#pending;
    this.#state = 'started';
    const done = this.#next(work);
    done.then(
      () => (this.gate = undefined),
      () => {
        // A teardown may have been asked for meanwhile, and another setup behind it.
        if (this.#pending === done) this.#state = 'new';
      },
    );
    return done;
  }

  /** @param work calls the service's `teardown`, also for a service that was never set up */
  teardown(work: () => unknown): Promise<unknown> {
    if (this.#state === 'stopped') return this.#pending;
    this.#state = 'stopped';
    return this.#next(work);
  }

  /** A service that is registered again begins anew. */
  restart(): void {
    if (this.#state === 'stopped') this.#state = 'new';
  }

  /** One after the other: who tears down while `setup` runs waits for it. */
  #next(work: () => unknown): Promise<unknown> {
    const done = this.#pending.then(work, work);
    this.#pending = done;
    // Whoever asked for it is told; whoever comes next does not fail for it.
    done.catch(() => undefined);
    return done;
  }
}

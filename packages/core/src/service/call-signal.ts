import { Itself } from '../itself.ts';

/** Where the signal of a call comes from. */
export interface SignalSource {
  /** Aborted when whoever waits for the answer goes away. Made when it is read first, and the same each time. */
  readonly signal: AbortSignal;
}

/** Keeps a source with parameters. */
class Signalled extends Itself {
  readonly #source: SignalSource;

  constructor(params: object, source: SignalSource) {
    super(params);
    this.#source = source;
  }

  static sourceOf(params: object): SignalSource | undefined {
    return #source in params ? params.#source : undefined;
  }
}

/** One for all, so that parameters keep one form. */
const SIGNAL: PropertyDescriptor & ThisType<object> = {
  get(): AbortSignal | undefined {
    return Signalled.sourceOf(this)?.signal;
  },
  set(value: unknown) {
    Object.defineProperty(this, 'signal', { value, writable: true, enumerable: true, configurable: true });
  },
  enumerable: true,
  configurable: true,
};

/**
 * Gives the parameters of a call `signal`, for transports. It is an own, enumerable property, so that a copy by spreading has it too; but reading it
 * makes it, which costs microseconds: `copyParams` does not read it.
 *
 * @param params parameters of a call without a signal; changed
 * @param source makes the signal when somebody reads it
 */
export function addCallSignal(params: object, source: SignalSource): void {
  new Signalled(params, source);
  Object.defineProperty(params, 'signal', SIGNAL);
}

/**
 * @param params parameters of a call
 * @returns what their `signal` would be made by; `undefined` where they have none, or one that somebody has set
 */
export function unreadSignal(params: object): SignalSource | undefined {
  const source = Signalled.sourceOf(params);
  if (source === undefined || Object.getOwnPropertyDescriptor(params, 'signal')?.get !== SIGNAL.get) return undefined;
  return source;
}

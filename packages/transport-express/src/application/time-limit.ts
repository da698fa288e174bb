/** Longest time that a timer of Node.js takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** How much of the time a step may take. */
export type Share = 'half' | 'whole';

/** A time that is running out, which several steps share. It can become shorter, never longer. */
export class TimeLimit {
  readonly #over = new AbortController();
  readonly #times: Readonly<Record<Share, Alarm>> = { half: new Alarm(), whole: new Alarm() };
  #end = Infinity;

  /** @param milliseconds from now */
  constructor(milliseconds: number) {
    void this.#times.whole.rung.then(() => {
      this.#over.abort();
    });
    this.shorten(milliseconds);
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Lets the time end earlier; does nothing when it ends earlier anyway. */
  shorten(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    if (end >= this.#end) return;
    this.#end = end;
    this.#times.half.set(milliseconds / 2);
    this.#times.whole.set(milliseconds);
  }

  /** Waits for work, or until its share of the time is over. */
  async within(share: Share, work: Promise<unknown>): Promise<void> {
    await Promise.race([work, this.#times[share].rung]);
  }

  /** Nobody waits any more. */
  stop(): void {
    this.#times.half.clear();
    this.#times.whole.clear();
  }
}

class Alarm {
  #ring: () => void = () => undefined;
  readonly rung: Promise<void> = new Promise((resolve) => {
    this.#ring = resolve;
  });
  #timer: NodeJS.Timeout | undefined;

  set(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#ring, milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Checks a time that a caller gives.
 *
 * @param name of the option, for the message
 * @throws TypeError for anything but a number of milliseconds that a timer takes
 */
export function checkMilliseconds(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LONGEST) return value;
  throw new TypeError(`'${name}' is a number of milliseconds from 0 to ${LONGEST}, and not ${String(value)}`);
}

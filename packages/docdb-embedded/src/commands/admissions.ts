/** At which rate connections may begin. */
export interface AdmissionRate {
  readonly enabled: boolean;
  readonly perSecond: number;
  /** Seconds' worth of connections that are saved up while nobody comes. */
  readonly burstSeconds: number;
  /** How many may wait for their turn. */
  readonly maxQueue: number;
}

/** Lets connections begin at a rate: who comes too fast waits, and is sent away when too many wait already. */
export class Admissions {
  readonly #rate: () => AdmissionRate;
  /** When nothing was saved up; ahead of now while some wait for what they have borrowed. */
  #empty = -Infinity;
  /** How many wait. */
  queued = 0;
  /** How many were sent away. */
  rejected = 0;

  /** @param rate asked for with each connection */
  constructor(rate: () => AdmissionRate) {
    this.#rate = rate;
  }

  /** @returns milliseconds until a connection that is there may begin, `undefined` for one that may not */
  ask(): number | undefined {
    const { enabled, perSecond, burstSeconds, maxQueue } = this.#rate();
    if (!enabled) return 0;
    const now = performance.now();
    const saved = Math.min(((now - this.#empty) / 1000) * perSecond, perSecond * burstSeconds);
    if (saved < 1 && this.queued >= maxQueue) {
      this.rejected += 1;
      return undefined;
    }
    this.#empty = now - ((saved - 1) / perSecond) * 1000;
    return Math.max(0, ((1 - saved) / perSecond) * 1000);
  }
}

import { addressKey } from '@framework/core';
import { TooManyRequests, unavailable } from '@framework/errors';

/** How many streams there may be. */
export interface SlotLimits {
  /** In all. */
  readonly maxStreams: number;
  /** Of one network address. */
  readonly maxPerAddress: number;
}

/** Seconds after which a client whose address has its share may try again. */
const RETRY_AFTER = 5;

/** Counts streams, also those that are only being opened. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #byAddress = new Map<string, number>();
  #count = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot.
   *
   * @param address network address of the client
   * @returns gives the slot back; to be called once
   * @throws Unavailable (503) when all are taken, TooManyRequests (429) when the address has its share
   */
  take(address: string): () => void {
    const { maxStreams, maxPerAddress } = this.#limits;
    const key = addressKey(address);
    const ofAddress = this.#byAddress.get(key) ?? 0;
    if (this.#count >= maxStreams) throw unavailable('The server has no room for more streams: try again later');
    if (ofAddress >= maxPerAddress) {
      throw new TooManyRequests('Too many streams of one network address', { retryAfter: RETRY_AFTER });
    }
    this.#count += 1;
    this.#byAddress.set(key, ofAddress + 1);
    return () => {
      this.#count -= 1;
      const left = (this.#byAddress.get(key) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(key, left);
      else this.#byAddress.delete(key);
    };
  }
}

import { addressKey, ToldSeldom } from '@framework/core';
import { TooManyRequests, unavailable, type FrameworkError } from '@framework/errors';

/** How many connections there may be. */
export interface SlotLimits {
  /** What they are called in what a client is told, as `streams`. */
  readonly name: string;
  /** In all. */
  readonly most: number;
  /** Of one network address. */
  readonly mostPerAddress: number;
}

/** Seconds after which a client whose address has its share may try again. */
const RETRY_AFTER = 5;

/** Counts connections, also those that are only being opened. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #byAddress = new Map<string, number>();
  readonly #told = new ToldSeldom();
  #count = 0;

  /** @param limits how many there may be */
  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Looks whether there is room.
   *
   * @param address network address of the client; the empty text where it is not known
   * @returns Unavailable (503) when all slots are taken, of which logs are told once in a while, TooManyRequests (429) when the address has its share, and `undefined` when there is room
   */
  refusal(address: string): FrameworkError | undefined {
    const { name, most, mostPerAddress } = this.#limits;
    if (this.#count >= most)
      return this.#told.of(
        unavailable(`The server has no room for more ${name}: try again later`),
        `There are as many ${name} as there may be (${String(most)}), and one more was refused`,
      );
    // Those of whom it is not known have none in common.
    if (address === '' || (this.#byAddress.get(addressKey(address)) ?? 0) < mostPerAddress) return undefined;
    return new TooManyRequests(`Too many ${name} of one network address`, { retryAfter: RETRY_AFTER });
  }

  /**
   * Takes a slot.
   *
   * @param address as for {@link refusal}
   * @returns gives the slot back; to be called once
   * @throws what {@link refusal} gives
   */
  take(address: string): () => void {
    const refusal = this.refusal(address);
    if (refusal) throw refusal;
    const key = addressKey(address);
    this.#count += 1;
    this.#byAddress.set(key, (this.#byAddress.get(key) ?? 0) + 1);
    return () => {
      this.#count -= 1;
      const left = (this.#byAddress.get(key) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(key, left);
      else this.#byAddress.delete(key);
    };
  }
}

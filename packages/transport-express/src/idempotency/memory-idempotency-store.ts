import { checkOptionNames } from '@framework/core';
import { unavailable } from '@framework/errors';
import type { HeldKey, IdempotencyStore, KeptCall } from './idempotency-store.ts';

/** Bounds of a {@link MemoryIdempotencyStore}. */
export interface MemoryIdempotencyOptions {
  /** Most keys. Default: 10,000. */
  readonly maxKeys?: number;
  /** Most letters of all outcomes together. Default: 50,000,000. */
  readonly maxSize?: number;
}

const NAMES: ReadonlySet<string> = new Set<keyof MemoryIdempotencyOptions>(['maxKeys', 'maxSize']);

interface Entry extends Omit<KeptCall, 'age'> {
  readonly holder: string;
  readonly since: number;
  /** By the stopwatch of this process: a clock that is put forward would free the keys of calls that are being made. */
  readonly until: number;
}

/**
 * Keeps calls in the memory of this process. Beyond its bounds the oldest that are done are forgotten; calls that are being made are not, so that a store
 * full of them takes no more.
 */
export class MemoryIdempotencyStore implements IdempotencyStore {
  /** In the order in which keys were taken. */
  readonly #entries = new Map<string, Entry>();
  readonly #maxKeys: number;
  readonly #maxSize: number;
  #size = 0;

  /** @throws TypeError for an unknown option, and for bounds that are no positive numbers */
  constructor(options: MemoryIdempotencyOptions = {}) {
    checkOptionNames('MemoryIdempotencyStore', options, NAMES);
    const { maxKeys = 10_000, maxSize = 50_000_000 } = options;
    if (![maxKeys, maxSize].every((bound) => typeof bound === 'number' && bound >= 1))
      throw new TypeError("'maxKeys' and 'maxSize' are numbers of 1 and more");
    this.#maxKeys = maxKeys;
    this.#maxSize = maxSize;
  }

  /** @throws Unavailable (503) when nothing but calls that are being made is kept */
  async take({ key, holder }: HeldKey, fingerprint: string, milliseconds: number): Promise<KeptCall | undefined> {
    const now = performance.now();
    const found = this.#entries.get(key);
    if (found !== undefined && found.until > now) return { ...found, age: now - found.since };
    this.#delete(key);
    if (!this.#makeRoom(this.#maxKeys - 1, now))
      throw unavailable('Too many calls with an Idempotency-Key are being made: try again later');
    this.#entries.set(key, { fingerprint, holder, outcome: undefined, since: now, until: now + milliseconds });
    return undefined;
  }

  async keep({ key, holder }: HeldKey, outcome: string): Promise<void> {
    const entry = this.#entries.get(key);
    // Who took so long that the key has ended has nothing to keep.
    if (entry?.holder !== holder) return;
    this.#size += outcome.length - (entry.outcome?.length ?? 0);
    this.#entries.set(key, { ...entry, outcome });
    this.#makeRoom(this.#maxKeys, performance.now());
  }

  async free({ key, holder }: HeldKey): Promise<void> {
    if (this.#entries.get(key)?.holder === holder) this.#delete(key);
  }

  /** Forgets what has ended, and the oldest beyond the bounds. */
  #makeRoom(keys: number, now: number): boolean {
    for (const [key, { until, outcome }] of this.#entries) {
      const isFull = this.#entries.size > keys || this.#size > this.#maxSize;
      if (until > now && !isFull) return true;
      if (until <= now || outcome !== undefined) this.#delete(key);
    }
    return this.#entries.size <= keys;
  }

  #delete(key: string): void {
    this.#size -= this.#entries.get(key)?.outcome?.length ?? 0;
    this.#entries.delete(key);
  }
}

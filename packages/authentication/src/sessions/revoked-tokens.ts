import { hash } from 'node:crypto';
import { Unavailable } from '@framework/errors';
import type { Sessions } from './sessions.ts';

/** Tokens that are remembered in memory. */
const CAPACITY = 1_000_000;

/** Single tokens that were logged out before they ended: what logging out means for tokens without a session. */
export interface RevokedTokens {
  /**
   * Ends a token.
   *
   * @param payload its claims
   * @throws Unavailable (503) when it can not be remembered
   */
  revoke(payload: Readonly<Record<string, unknown>>): Promise<void>;
  /** @returns whether a token was ended; Unavailable (503) when that can not be told */
  isRevoked(payload: Readonly<Record<string, unknown>>): boolean | Promise<boolean>;
  /**
   * Calls a listener when a token has ended, or may have, until the returned function is called.
   *
   * @param payload its claims
   */
  watch(payload: Readonly<Record<string, unknown>>, listener: () => void): () => void;
}

/** Remembers in this process until the tokens have ended by themselves. */
export class MemoryRevokedTokens implements RevokedTokens {
  readonly #ends = new Map<string, number>();
  /** By the id of the token. */
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #capacity: number;

  /** @param capacity most tokens that are remembered. Default: 1,000,000 */
  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity;
  }

  async revoke(payload: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#ends.size >= this.#capacity) this.#forgetEnded();
    if (this.#ends.size >= this.#capacity) throw new Unavailable('No more tokens can be ended. Use sessions, or revocation in a store');
    const id = idOf(payload);
    this.#ends.set(id, endOf(payload) ?? Infinity);
    for (const listener of this.#listeners.get(id) ?? []) listener();
    return Promise.resolve();
  }

  isRevoked(payload: Readonly<Record<string, unknown>>): boolean {
    return this.#ends.size > 0 && this.#ends.has(idOf(payload));
  }

  watch(payload: Readonly<Record<string, unknown>>, listener: () => void): () => void {
    const id = idOf(payload);
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  #forgetEnded(): void {
    const now = Date.now();
    for (const [id, end] of this.#ends) if (end < now) this.#ends.delete(id);
  }
}

/** Remembers in the store, for all processes. */
export class StoredRevokedTokens implements RevokedTokens {
  readonly #sessions: Sessions;

  /** @param sessions give the store, and what is known of it */
  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async revoke(payload: Readonly<Record<string, unknown>>): Promise<void> {
    const end = endOf(payload);
    await this.#sessions.revoke(idOf(payload), end === undefined ? null : new Date(end));
  }

  async isRevoked(payload: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#sessions.isRevoked(idOf(payload));
  }

  watch(payload: Readonly<Record<string, unknown>>, listener: () => void): () => void {
    const id = idOf(payload);
    return this.#sessions.watch((change) => {
      if (change.kind === 'lost' || (change.kind === 'token' && change.id === id)) listener();
    });
  }
}

/** Ids of tokens are the business of whoever makes them: of any length, and the same in two services. */
function idOf({ iss, aud, jti }: Readonly<Record<string, unknown>>): string {
  return hash('sha256', JSON.stringify([iss, aud, jti]), 'base64url');
}

/** Milliseconds at which a token is no longer accepted, clocks that differ included. */
function endOf({ exp }: Readonly<Record<string, unknown>>): number | undefined {
  return typeof exp === 'number' ? (exp + 120) * 1000 : undefined;
}

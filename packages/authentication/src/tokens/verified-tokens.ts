import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { putBounded } from '../values.ts';

/** Tokens that are kept. */
const CAPACITY = 10_000;

interface Entry {
  readonly payload: JWTPayload;
  /** Whether claims hold lists or objects, which a copy must not share. */
  readonly nested: boolean;
  /** Milliseconds at which the token ends. */
  readonly until: number;
}

/**
 * Payloads of tokens that were verified, by a digest of the token, so that one token costs one verification. Bounded; the
 * one that was used longest ago goes first. Made anew with each configuration.
 */
export class VerifiedTokens {
  readonly #entries = new Map<string, Entry>();

  /** @returns a copy of the payload, or `undefined` when the token is not known or has ended */
  get(token: string): JWTPayload | undefined {
    const key = digest(token);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (Date.now() >= entry.until) {
      this.#entries.delete(key);
      return undefined;
    }
    // The order matters only where something may have to go.
    if (this.#entries.size > CAPACITY / 2) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return copyOf(entry.payload, entry.nested);
  }

  /**
   * Keeps the payload of a token that was verified. Tokens without an end are not kept.
   *
   * @param maxAge seconds after which a token is too old, however long it lasts
   */
  set(token: string, payload: JWTPayload, maxAge: number = Infinity): void {
    const end = Math.min(payload.exp ?? Infinity, (payload.iat ?? 0) + maxAge);
    if (end === Infinity) return;
    const nested = Object.values(payload).some((claim) => typeof claim === 'object' && claim !== null);
    putBounded(this.#entries, digest(token), { payload: copyOf(payload, nested), nested, until: end * 1000 }, CAPACITY);
  }

  /** Forgets a token. */
  delete(token: string): void {
    this.#entries.delete(digest(token));
  }
}

/** Cloning costs more than all else here: only what needs it is cloned. */
function copyOf(payload: JWTPayload, nested: boolean): JWTPayload {
  return nested ? structuredClone(payload) : { ...payload };
}

function digest(token: string): string {
  return hash('sha256', token);
}

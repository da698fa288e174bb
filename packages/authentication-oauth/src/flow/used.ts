import { createHash } from 'node:crypto';
import type { LimiterStore } from '@framework/authentication';
import { unavailable } from '@framework/errors';

/** What something is. */
type Purpose = 'state' | 'id-token' | 'logout-token';

/** What counts once: states, ID tokens, logout tokens. Kept by digest, in the store of the limiter, until it would have ended by itself. */
export class Used {
  readonly #store: () => LimiterStore;

  /** @param store counts for all processes of an application */
  constructor(store: () => LimiterStore) {
    this.#store = store;
  }

  /**
   * Takes something for the first time.
   *
   * @param purpose what it is
   * @param secret the thing itself
   * @param seconds how long it could come again
   * @returns whether it was the first time
   * @throws Unavailable (503) when that can not be told
   */
  async first(purpose: Purpose, secret: string, seconds: number): Promise<boolean> {
    const rule = { attempts: 1, window: Math.ceil(seconds * 1000), delay: null };
    try {
      return (await this.#store().attempt(keyOf(purpose, secret), rule)).admitted;
    } catch (error) {
      throw unavailable('Logins are not possible at present', error);
    }
  }

  /**
   * Lets something come again, since what it was for could not be done.
   *
   * @throws what the store fails with
   */
  async forget(purpose: Purpose, secret: string): Promise<void> {
    await this.#store().reset(keyOf(purpose, secret));
  }
}

function keyOf(purpose: Purpose, secret: string): string {
  return `oauth-${purpose}:${createHash('sha256').update(secret).digest('base64url')}`;
}

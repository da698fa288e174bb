import { createHash } from 'node:crypto';
import { TooManyRequests, Unavailable } from '@framework/errors';
import { seconds } from '../tokens/duration.ts';
import { addressKey } from './address-key.ts';
import type { LimiterStore } from './limiter-store.ts';

/** How many logins may fail. */
export interface LimiterRule {
  /** Attempts that may fail in one window. */
  attempts: number;
  /** Length of a window, and so of a lock: seconds, or a text such as `15m`. */
  window: string | number;
}

/** Option `limiter` of the configuration. */
export interface LimiterOptions {
  /** Per account, from all addresses together. Default: 10 attempts in 15 minutes. */
  account?: LimiterRule | false;
  /** Per network address, for all accounts together. Default: 100 attempts in 15 minutes. */
  address?: LimiterRule | false;
  /** Where attempts are counted. Default: in the memory of each process. */
  store?: LimiterStore;
}

/** A login that is being tried. */
export interface LoginAttempt {
  /** The login succeeded: the account starts anew, and the address has one attempt less. */
  succeed(): Promise<void>;
  /** The login could not be tried: it does not count. */
  undo(): Promise<void>;
}

/** Who tries to log in. */
export interface Login {
  readonly strategy: string;
  /** The account in one spelling; an empty text when there is none. */
  readonly account: string;
  readonly address?: string | undefined;
}

/** A lock, as the event `lockout` tells of it. */
export interface Lockout {
  readonly strategy: string;
  /** Digest of the account. */
  readonly account: string;
  readonly address: string | undefined;
  /** Seconds until the next attempt. */
  readonly retryAfter: number;
}

const DEFAULTS: { readonly account: LimiterRule; readonly address: LimiterRule } = {
  account: { attempts: 10, window: '15m' },
  address: { attempts: 100, window: '15m' },
};

/**
 * Bounds the logins that fail, for every transport: each attempt is counted before it is made, so that many at once are no
 * way around (security S22).
 */
export class LoginLimiter {
  readonly #store: LimiterStore;
  readonly #rules: readonly { readonly kind: 'account' | 'address'; readonly rule: LimiterRule }[];
  readonly #locked: (lockout: Lockout) => void;

  /**
   * @param store where attempts are counted when the options name no store
   * @param locked told when an account or address is locked
   */
  constructor(options: LimiterOptions, store: LimiterStore, locked: (lockout: Lockout) => void) {
    this.#store = options.store ?? store;
    this.#locked = locked;
    this.#rules = (['account', 'address'] as const).flatMap((kind) => {
      const rule = options[kind] ?? DEFAULTS[kind];
      return rule === false ? [] : [{ kind, rule }];
    });
  }

  /**
   * Counts an attempt.
   *
   * @throws TooManyRequests (429) with `data.retryAfter`, whether or not the login would be right; Unavailable (503) when it
   *   can not be counted
   */
  async begin(login: Login): Promise<LoginAttempt> {
    const keys: { kind: 'account' | 'address'; key: string }[] = [];
    for (const { kind, rule } of this.#rules) {
      const key = keyOf(kind, login);
      if (key === undefined) continue;
      const { count, resetAt } = await this.#counted(this.#store.consume(key, seconds(rule.window) * 1000));
      keys.push({ kind, key });
      if (count <= rule.attempts) continue;
      const retryAfter = Math.max(1, Math.ceil((resetAt - Date.now()) / 1000));
      if (count === rule.attempts + 1) {
        this.#locked({ strategy: login.strategy, account: accountDigest(login.account), address: login.address, retryAfter });
      }
      throw new TooManyRequests('Too many failed logins. Try again later', { retryAfter });
    }
    return {
      succeed: async () => {
        for (const { kind, key } of keys) await this.#counted(kind === 'account' ? this.#store.reset(key) : this.#store.restore(key));
      },
      undo: async () => {
        for (const { key } of keys) await this.#counted(this.#store.restore(key));
      },
    };
  }

  async #counted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const unavailable = new Unavailable('Logins are not possible at present');
      throw Object.defineProperty(unavailable, 'cause', { value: error, configurable: true });
    }
  }
}

/** @returns what events and stores know of an account: neither its name nor what somebody typed in its place */
export function accountDigest(account: string): string {
  return createHash('sha256').update(account).digest('base64url').slice(0, 22);
}

function keyOf(kind: 'account' | 'address', { strategy, account, address }: Login): string | undefined {
  if (kind === 'account') return account === '' ? undefined : `account:${strategy}:${accountDigest(account)}`;
  return address === undefined || address === '' ? undefined : `address:${addressKey(address)}`;
}

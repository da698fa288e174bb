import { createHmac } from 'node:crypto';
import { addressKey } from '@framework/core';
import { TooManyRequests, unavailable } from '@framework/errors';
import type { LoginIdentity } from '../login/identity.ts';
import { attemptRule, type LimiterKind, type LimiterOptions } from './limiter-options.ts';
import type { AttemptAnswer, AttemptRule, LimiterStore } from './limiter-store.ts';

/** A login that is being tried. */
export interface LoginAttempt {
  /** The login succeeded: what it was counted by starts anew, and the address has one attempt less. */
  succeed(): Promise<void>;
  /** The login could not be tried: it does not count. */
  undo(): Promise<void>;
}

/** A lock, as the event `lockout` tells of it. */
export interface Lockout {
  readonly strategy: string;
  /** Digest of the account; empty where the address alone is held back. */
  readonly account: string;
  readonly address: string | undefined;
  /** Seconds until the next attempt. */
  readonly retryAfter: number;
  readonly requestId?: string;
}

/** Who tries to log in, as far as it is known. */
export interface Login {
  readonly strategy: string;
  readonly address: string | undefined;
  /** Id of the request, for the event. */
  readonly requestId?: string;
}

/**
 * Holds back logins that fail, for every transport: each attempt is counted before it is made, so that many at once are no way
 * around (security S22). The address is asked first: who is held back there counts for no account.
 */
export class LoginLimiter {
  readonly #store: LimiterStore;
  readonly #rules: Readonly<Record<LimiterKind, AttemptRule | undefined>>;
  readonly #key: Buffer;
  readonly #locked: (lockout: Lockout) => void;

  /**
   * @param store where attempts are counted when the options name no store
   * @param key server key that accounts are written with
   * @param locked told when an account or address is held back
   */
  constructor(options: LimiterOptions, store: LimiterStore, key: Buffer, locked: (lockout: Lockout) => void) {
    this.#store = options.store ?? store;
    this.#rules = { address: attemptRule(options, 'address'), account: attemptRule(options, 'account') };
    this.#key = key;
    this.#locked = locked;
  }

  /**
   * Counts an attempt of a network address.
   *
   * @throws TooManyRequests (429) with `data.retryAfter`; Unavailable (503) when it can not be counted
   */
  async fromAddress(login: Login): Promise<LoginAttempt> {
    const { address } = login;
    const rule = this.#rules.address;
    if (rule === undefined || address === undefined || address === '') return NOTHING;
    const key = `address:${addressKey(address)}`;
    const answer = await this.#attempt(key, rule, { ...login, account: '' });
    const restore = (): Promise<void> => this.#counted(this.#store.restore(key, rule, answer));
    return { succeed: restore, undo: restore };
  }

  /**
   * Counts an attempt for an account, as it was found: by its id, however it was written; and by what was typed, whether or not there is such an account. By the id alone,
   * another spelling would be held back with accounts that are not there, and not with those that are.
   *
   * @param device mark of a device that has logged in to it before: strangers do not hold it back
   * @throws TooManyRequests (429) with `data.retryAfter`, whether or not the login would be right; Unavailable (503)
   */
  async forAccount(login: Login, identity: LoginIdentity, device: string | undefined): Promise<LoginAttempt> {
    const rule = this.#rules.account;
    if (rule === undefined || identity.account === '') return NOTHING;
    const account = this.digest(identity);
    const { text = '' } = identity;
    const spelling = text === '' ? [] : [`spelling:${this.digest({ account: text, known: false })}`];
    const keys = device === undefined ? [`account:${account}`, ...spelling] : [`device:${account}:${device}`];
    const counted: (readonly [key: string, answer: AttemptAnswer])[] = [];
    const undo = async (): Promise<void> => {
      for (const [key, answer] of counted) await this.#counted(this.#store.restore(key, rule, answer));
    };
    try {
      for (const key of keys) counted.push([key, await this.#attempt(key, rule, { ...login, account })]);
    } catch (error) {
      await undo();
      throw error;
    }
    const succeed = async (): Promise<void> => {
      for (const key of keys) await this.#counted(this.#store.reset(key));
    };
    return { succeed, undo };
  }

  /** @returns what events and stores know of an account: neither its name nor what somebody typed in its place */
  digest({ account, known }: LoginIdentity): string {
    return createHmac('sha256', this.#key)
      .update(`${known ? 'id' : 'text'}:${account}`)
      .digest('base64url')
      .slice(0, 22);
  }

  async #attempt(key: string, rule: AttemptRule, login: Login & { readonly account: string }): Promise<AttemptAnswer> {
    const answer = await this.#counted(this.#store.attempt(key, rule));
    const { admitted, refused, readyAt, wait } = answer;
    if (admitted) return answer;
    // The clock of a store that does not tell may be another one.
    const left = Math.min(wait ?? readyAt - Date.now(), rule.window);
    const retryAfter = Math.max(1, Math.ceil(left / 1000));
    if (refused === 1) this.#locked({ ...login, retryAfter });
    throw new TooManyRequests('Too many failed logins. Try again later', { retryAfter });
  }

  async #counted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw unavailable('Logins are not possible at present', error);
    }
  }
}

const NOTHING: LoginAttempt = Object.freeze({ succeed: () => Promise.resolve(), undo: () => Promise.resolve() });

import type { CallParams, TransportAnswer } from '../transport.ts';
import type { Exclusive } from './exclusive.ts';
import type { TokenStorage } from './storage.ts';

/** Data of a login: a strategy and what it needs. */
export interface LoginData {
  /** Name of a strategy of the server. */
  readonly strategy: string;
  readonly [name: string]: unknown;
}

/** What a login gives. */
export interface LoginResult {
  readonly accessToken?: string;
  readonly authentication?: { readonly strategy?: string; readonly payload?: Readonly<Record<string, unknown>> };
  readonly [name: string]: unknown;
}

/** Options of the client's login. */
export interface AuthenticationOptions {
  /** Path of the authentication service, with or without slashes around it. Default: `authentication`. */
  readonly path?: string;
  /** Where tokens are kept: `localStorage`, for example. Default: the memory, from which they are gone with the page. */
  readonly storage?: TokenStorage;
  /** The key under which they are kept: another one for each server, which would get the tokens of the others. Default: `framework-login`. */
  readonly storageKey?: string;
  /** Whether the server keeps the refresh token in a cookie: nothing is stored, and a refresh is tried where a call needs a login. Default: `false`. */
  readonly cookie?: boolean;
  /** The strategy that takes an access token. Default: `jwt`. */
  readonly jwtStrategy?: string;
  /** Runs a refresh while nobody else does who shares the storage. Default: Web Locks, else a mark in the storage. */
  readonly lock?: Exclusive;
}

/** What is used of the authentication service. */
export interface LoginService {
  create(data: LoginData, params?: CallParams): Promise<LoginResult>;
  remove(id: null): Promise<LoginResult>;
}

/** What the login needs of its client. */
export interface AuthenticationHost {
  /** Name of the server. */
  readonly name: string;
  /** The authentication service, by its path. */
  service(path: string): LoginService;
  emit(event: 'login' | 'logout', result: unknown): void;
}

/** Headers that log a request in. */
export type LoginHeaders = Readonly<Record<string, string>>;

/** The login of a client: its tokens, which are renewed once for all calls and tabs that need it. */
export interface Authentication {
  /** What callers of the client have of it. */
  readonly shown: {
    /** @returns what the last login gave, or is about to give; `undefined` without one */
    readonly get: () => Promise<LoginResult> | undefined;
    readonly authenticate: (data: LoginData, params?: CallParams) => Promise<LoginResult>;
    readonly reAuthenticate: (force?: boolean) => Promise<LoginResult>;
    readonly logout: () => Promise<LoginResult | null>;
  };
  /** Makes a call as whoever is logged in, and once more with a new token where the old one was refused. */
  readonly call: (
    path: string,
    method: string,
    repeatable: boolean,
    send: (login: LoginHeaders) => Promise<TransportAnswer>,
  ) => Promise<TransportAnswer>;
  /** Headers that log a request in, with a token that lasts. */
  readonly headers: () => Promise<LoginHeaders>;
  /**
   * Has a new login in place of one that was refused.
   *
   * @param refused what {@link headers} gave
   * @returns whether there is another one now
   * @throws what the renewal fails with, but for an end of the session
   */
  readonly isReplaced: (refused: LoginHeaders) => Promise<boolean>;
  /** Logs a connection in, each time that it is made: calls wait for it. @returns settles when that has ended, with the error that it has ended by */
  readonly connect: () => Promise<unknown>;
  readonly close: () => void;
}

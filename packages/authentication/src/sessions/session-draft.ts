import type { EntitySecrets } from '../entity/secret-marks.ts';

/** A session that is about to begin or to be refreshed: everything is known, and nothing is written yet. */
export interface SessionDraft {
  readonly id: string;
  /** Id of the entity, as text; empty where there is none. */
  readonly user: string;
  /** The refresh token for the client; `undefined` when there are none. */
  readonly refreshToken: string | undefined;
  /** Claims of the access token that goes with it. */
  readonly claims: { readonly sid: string; readonly iat: number };
  /** Id of that access token; `undefined` for a random one. */
  readonly jwtid: string | undefined;
  /** @returns whether the user still has the secrets that the session began with */
  hasSecrets(secrets: EntitySecrets): boolean;
  /**
   * Writes it, in one command: the last step before the answer.
   *
   * @throws NotAuthenticated (401) when it has ended meanwhile, Unavailable (503) when it can not be written
   */
  store(): Promise<void>;
  /** Notes that the answer leaves. */
  answered(): void;
  /** Notes that there is no answer although it was written: a login has no session then, and who refreshes may ask again. */
  lost(): void;
}

/** Carries the draft of a result from the strategy to the service; it never leaves the server. */
export const SESSION: unique symbol = Symbol('framework.session');

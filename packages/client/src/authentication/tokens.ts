import { fieldsOf, textOf } from '../fields.ts';

/** What a login gave, and is kept. */
export interface Tokens {
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** When a new access token is to be had, by the clock of this machine, in milliseconds. */
  readonly renewAt?: number | undefined;
  /** Whose they are, as the server calls him. */
  readonly who?: unknown;
}

/** Milliseconds before its end at which a token is renewed; a tenth of its life for those that live shorter than ten times that. */
const EARLY = 10_000;

/**
 * The tokens in the answer to a login. How long the access token lasts is counted from now on: the clock of the server may be another one.
 *
 * @param result what the authentication service answered; anything
 * @param known the refresh token that it does not replace unless it has another
 */
export function tokensOf(result: unknown, known?: string): Tokens {
  const { accessToken, refreshToken, authentication } = fieldsOf(result);
  const { exp, iat, sub } = fieldsOf(fieldsOf(authentication).payload);
  const life = ((exp as number) - (iat as number)) * 1000;
  return {
    accessToken: textOf(accessToken),
    refreshToken: textOf(refreshToken) ?? known,
    renewAt: life > 0 ? Date.now() + life - Math.min(EARLY, life / 10) : undefined,
    who: sub,
  };
}

/** What is kept in a storage: JSON, or the access token alone, as clients of the incumbent keep it. */
export function readTokens(text: string | null | undefined): Tokens {
  try {
    const found = fieldsOf(JSON.parse(text ?? ''));
    return { ...found, accessToken: textOf(found.accessToken), refreshToken: textOf(found.refreshToken) };
  } catch {
    return { accessToken: textOf(text) };
  }
}

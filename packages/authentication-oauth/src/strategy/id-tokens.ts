import { NotAuthenticated } from '@framework/errors';
import { providerError } from '../errors.ts';
import type { Used } from '../flow/used.ts';
import { NONCE, SIGNED_TOKEN } from '../lengths.ts';
import type { Provider } from '../provider/provider.ts';
import type { OAuthProfile } from '../providers/preset.ts';
import { isText } from '../values.ts';

/** Longest time since an ID token that logs in was made, in seconds. */
const AGE = 600;

/** Verifies ID tokens that native and single-page clients bring (requirements of OAuth: O16). */
export interface IdTokens {
  /**
   * Verifies a token, which counts once.
   *
   * @param name name of the provider
   * @returns its claims
   * @throws NotAuthenticated (401), Unavailable (503)
   */
  verify(name: string, idToken: unknown, nonce: unknown): Promise<OAuthProfile>;
}

/** An authentication service, registered or not. */
interface Named {
  readonly app: object;
  readonly configKey: string;
}

const known = new WeakMap<object, Map<string, IdTokens>>();

/** @returns what verifies the ID tokens of an authentication service; `undefined` where nothing does */
export function idTokensOf({ app, configKey }: Named): IdTokens | undefined {
  return known.get(app)?.get(configKey);
}

/** Notes what verifies ID tokens for an authentication service. */
export function useIdTokens({ app, configKey }: Named, tokens: IdTokens): void {
  const ofApp = known.get(app) ?? new Map<string, IdTokens>();
  known.set(app, ofApp.set(configKey, tokens));
}

/**
 * Verifies an ID token of a provider.
 *
 * @param used where it counts once: a token of one audience says nothing of the authentication service that it was asked for
 * @throws NotAuthenticated (401), Unavailable (503)
 */
export async function verifyIdToken(provider: Provider, used: readonly Used[], idToken: unknown, nonce: unknown): Promise<OAuthProfile> {
  const { audiences } = provider.settings;
  if (audiences === undefined || !isText(idToken, SIGNED_TOKEN) || !isText(nonce, NONCE)) throw refused();
  const claims = await provider
    .verify(idToken, { audiences, claims: ['sub', 'nonce'], age: AGE, types: ['jwt'] })
    .catch((error: unknown) => {
      throw providerError(error);
    });
  const { aud, azp } = claims;
  const isForOthers =
    (Array.isArray(aud) && aud.length > 1) || azp !== undefined ? typeof azp !== 'string' || !audiences.includes(azp) : false;
  if (claims.nonce !== nonce || isForOthers) throw refused();
  for (const one of used) if (!(await one.first('id-token', signedPart(idToken), AGE + 120))) throw refused();
  return claims;
}

/** One signature has several spellings, and with elliptic curves there are two of them: a token is what was signed. */
function signedPart(idToken: string): string {
  return idToken.slice(0, idToken.lastIndexOf('.'));
}

function refused(): NotAuthenticated {
  return new NotAuthenticated('Invalid ID token', { error: 'failed' });
}

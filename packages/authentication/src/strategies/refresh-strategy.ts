import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams, AuthenticationRequest, AuthenticationResult, StrategyDescription } from '../authentication-types.ts';
import { cookieNames, readCookie } from '../browser/cookies.ts';
import type { EntitySecrets } from '../entity/secret-marks.ts';
import { usedRefreshToken } from '../sessions/refuse-session.ts';
import { clientOf } from '../sessions/session-client.ts';
import { SESSION } from '../sessions/session-draft.ts';
import { EntityStrategy } from './entity-strategy.ts';

/**
 * Gives a new access token and a new refresh token for a refresh token, which counts once (security S20). The service
 * registers it by itself where sessions are on.
 */
export class RefreshStrategy extends EntityStrategy {
  /** A refresh token as data, where it is not in a cookie. */
  describe(): StrategyDescription {
    const inBody = this.authentication?.sessions?.settings.refresh !== 'cookie';
    return {
      login: inBody ? { properties: { refreshToken: { type: 'string' } }, required: ['refreshToken'] } : { properties: {}, required: [] },
    };
  }

  /**
   * Prepares the refreshing of a session: the user is loaded and checked, and nothing is written yet.
   *
   * @throws NotAuthenticated (401), Unavailable (503)
   */
  async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const sessions = this.authentication?.sessions;
    if (!sessions) throw new NotAuthenticated('Sessions are off');
    const { settings } = sessions;
    const token = settings.refresh === 'cookie' ? readCookie(params.headers ?? {}, cookieNames(settings).refresh) : data.refreshToken;
    const draft = await sessions.refreshTokens.prepare(token, clientOf(params));
    const result: AuthenticationResult = { authentication: { strategy: String(this.name) }, [SESSION]: draft };
    const { entityName } = this;
    if (entityName === null) return result;
    const admit = async (secrets: EntitySecrets): Promise<void> => {
      if (draft.hasSecrets(secrets)) return;
      await sessions.end(draft.id).catch(() => undefined);
      throw usedRefreshToken();
    };
    return { ...result, [entityName]: await this.getEntity(draft.user, params, admit) };
  }
}

import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams, AuthenticationRequest, AuthenticationResult } from '../authentication-types.ts';
import { refreshTokenInCookie } from '../sessions/refresh-cookie.ts';
import { SESSION, type SessionHost } from '../sessions/session-host.ts';
import { JWTStrategy } from './jwt-strategy.ts';

/**
 * Gives a new access token and a new refresh token for a refresh token, which counts once (security S20). The service
 * registers it by itself where sessions are on.
 */
export class RefreshStrategy extends JWTStrategy {
  /** It reads no requests: a refresh token never takes the place of an access token. */
  override async parse(): Promise<null> {
    return Promise.resolve(null);
  }

  /**
   * Refreshes a session.
   *
   * @throws NotAuthenticated (401), Forbidden (403) for a cookie that another origin sends
   */
  override async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const { sessions } = this.authentication as unknown as SessionHost;
    if (!sessions) throw new NotAuthenticated('Sessions are off');
    const token =
      sessions.settings.refresh === 'cookie' ? refreshTokenInCookie(params.headers ?? {}, sessions.settings) : data.refreshToken;
    const issued = await sessions.refresh(token);
    const authentication = { strategy: String(this.name) };
    const { entity } = this.configuration;
    const result: AuthenticationResult = { authentication, [SESSION]: issued };
    return typeof entity === 'string' ? { ...result, [entity]: await this.getEntity(issued.user, params) } : result;
  }

  /** Connections hold access tokens alone. */
  override async handleConnection(): Promise<void> {
    return Promise.resolve();
  }
}

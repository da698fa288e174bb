import { copyParams, loginResult } from '@framework/core';
import { BadRequest, NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams, AuthenticationRequest, AuthenticationResult } from '../authentication-types.ts';
import { checkOrigin } from '../browser/check-origin.ts';
import { SESSION, type SessionDraft } from '../sessions/session-draft.ts';
import { answerLeaves } from './after-answer.ts';
import type { LoginHost } from './login-host.ts';
import { IDENTITY, type LoginIdentity } from './identity.ts';
import { ORIGIN, type LoginOrigin } from './login-origin.ts';
import { openSession } from './open-session.ts';
import { PURPOSE } from './purpose.ts';
import { redact } from './redact.ts';
import { sign } from './sign.ts';

/**
 * Logs in: what the client sent is checked, the strategy identifies and verifies under the limiter, the entity is admitted to
 * a session, the token is signed, and only then anything is written and answered (interface 5.1).
 *
 * @throws BadRequest (400), NotAuthenticated (401), Forbidden (403), TooManyRequests (429), Unavailable (503)
 */
export async function login(host: LoginHost, data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
  const allowed = checkRequest(host, data, params);
  const { [SESSION]: refreshed, [IDENTITY]: identity, [ORIGIN]: origin, ...result } = await verify(host, data, params, allowed);
  const name = String(data.strategy);
  if (result.accessToken !== undefined) return redact(host, result, params, name);
  const asked = await host.getTokenOptions(result, params);
  const options = refreshed && refreshed.user !== '' ? { subject: refreshed.user, ...asked } : asked;
  const { entity } = host.configuration;
  const given = typeof entity === 'string' ? result[entity] : undefined;
  const session = refreshed ?? (await openSession(host, { user: options.subject ?? '', strategy: name, given, identity, origin }, params));
  const answer = redact(host, await sign(host, result, options, session, params, name), params, name);
  await session?.store();
  if (session) answerLeaves(params, session, answer);
  return answer;
}

/** @returns the names of the strategies that may log in */
function checkRequest(host: LoginHost, data: AuthenticationRequest, params: AuthenticationParams): readonly string[] {
  // Callers without types may give anything.
  if (typeof (data as unknown) !== 'object' || (data as unknown) === null || Array.isArray(data))
    throw new BadRequest('The authentication data must be one object');
  const { configuration, sessions } = host;
  const configured = params.authStrategies ?? configuration.authStrategies ?? [];
  if (configured.length === 0) throw new NotAuthenticated('No authentication strategies allowed for creating a JWT (`authStrategies`)');
  const settings = sessions?.settings;
  const { strategy } = data;
  const isByCookie = strategy === 'refresh' && settings?.refresh === 'cookie';
  checkOrigin(params, configuration, settings, isByCookie);
  // The token that is given would count no more, and nobody would get the one that follows.
  if (isByCookie && params.provider !== undefined && params.provider !== 'rest')
    throw new BadRequest('The refresh token is in a cookie, which only an answer over REST can replace: refresh there');
  // What a client sends in its place may be an object without a text.
  if (typeof strategy === 'string' && configured.includes(strategy) && host.getStrategy(strategy)?.callsOnly === true)
    throw new NotAuthenticated(
      'This strategy authenticates single calls and gives no login: send its credentials with each call, or log in with a token',
    );
  return (settings?.refresh ? [...configured, 'refresh'] : configured).filter((name) => host.getStrategy(name)?.callsOnly !== true);
}

type Verified = AuthenticationResult & {
  readonly [SESSION]?: SessionDraft;
  readonly [IDENTITY]?: LoginIdentity;
  readonly [ORIGIN]?: LoginOrigin;
};

async function verify(
  host: LoginHost,
  data: AuthenticationRequest,
  params: AuthenticationParams,
  allowed: readonly string[],
): Promise<Verified> {
  return loginResult(host, await host.authenticate(data, copyParams(params, { [PURPOSE]: 'login' as const }), ...allowed));
}

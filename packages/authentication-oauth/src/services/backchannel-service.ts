import type { Params } from '@framework/core';
import { BadRequest, FrameworkError } from '@framework/errors';
import { providerError } from '../errors.ts';
import type { OAuthHost } from '../host.ts';
import { SIGNED_TOKEN } from '../lengths.ts';
import type { OAuthProfile } from '../providers/preset.ts';
import { isRecord, isText, property } from '../values.ts';
import { answering } from './answer.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Longest time since a logout token was made, in seconds. */
const AGE = 300;

/** Ends sessions of ours when somebody has logged out at the provider, which says so by a signed token (OpenID Connect Back-Channel Logout 1.0). */
export class OAuthBackchannelService {
  readonly #host: OAuthHost;

  constructor(host: OAuthHost) {
    this.#host = host;
  }

  /**
   * @throws BadRequest (400) for a token that is not right, Unavailable (503) when sessions can not be ended
   */
  async create(data: unknown, params: Params): Promise<null> {
    const host = this.#host;
    const { provider } = host.provider(property(params.route, 'provider'));
    const { sessions } = host.authentication;
    if (!sessions) throw new BadRequest("Sessions are off: set 'authentication.sessions'");
    const token = property(data, 'logout_token');
    if (provider.settings.issuer === undefined || !isText(token, SIGNED_TOKEN)) throw refused();
    const rules = { audiences: [provider.settings.clientId], claims: ['jti'], age: AGE, types: ['logout+jwt', 'jwt'] };
    const claims = await provider.verify(token, rules).catch((error: unknown) => {
      const known = providerError(error);
      throw known.code === 503 ? known : refused();
    });
    const { subject, session } = checkedClaims(claims);
    const ended = { strategy: provider.settings.name, session };
    const id = JSON.stringify([ended.strategy, claims.jti]);
    // One that comes again, whoever sends it, is not to end a login that was made since.
    if (!(await host.used.first('logout-token', id, AGE + 120))) throw refused();
    try {
      // First, so that none becomes a session behind those that are ended.
      await host.tickets.endOfOrigin({ ...ended, subject });
      await sessions.endOfOrigin({ ...ended, ...(session === undefined ? { subject } : {}) });
    } catch (error) {
      await host.used.forget('logout-token', id).catch(() => undefined);
      throw error;
    }
    answering(params)({ status: 200 });
    return null;
  }
}

/** @throws BadRequest (400) */
function checkedClaims({ sub, sid, nonce, events, jti }: OAuthProfile): {
  readonly subject: string | undefined;
  readonly session: string | undefined;
} {
  const event = property(events, EVENT);
  const isRight = nonce === undefined && isRecord(event) && isText(jti) && (isText(sub) || isText(sid));
  if (!isRight) throw refused();
  return { subject: isText(sub) ? sub : undefined, session: isText(sid) ? sid : undefined };
}

function refused(): FrameworkError {
  return new BadRequest('Invalid logout token', { error: 'invalid_request' });
}

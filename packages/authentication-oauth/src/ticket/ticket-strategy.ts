import {
  EntityStrategy,
  ORIGIN,
  type AuthenticationParams,
  type AuthenticationRequest,
  type AuthenticationResult,
  type StrategyDescription,
} from '@framework/authentication';
import { NotAuthenticated } from '@framework/errors';
import { OAuthStrategy } from '../strategy/oauth-strategy.ts';
import { SecondStepNeeded } from './second-step.ts';
import type { Tickets } from './tickets.ts';

/** Logs in with the ticket of a login at a provider. */
export class OAuthTicketStrategy extends EntityStrategy {
  readonly countsFailures = true;
  readonly #tickets: Tickets;

  constructor(tickets: Tickets) {
    super();
    this.#tickets = tickets;
  }

  /** A ticket as data, with the verifier where the flow was begun with a challenge. */
  describe(): StrategyDescription {
    return {
      login: { properties: { ticket: { type: 'string' }, codeVerifier: { type: 'string' } }, required: ['ticket'] },
      isOffered: true,
    };
  }

  /**
   * Takes the ticket and loads its entity.
   *
   * @throws NotAuthenticated (401) for a ticket that does not count, and for an entity that is gone or disabled; Unavailable (503)
   */
  async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const { user, strategy: name, subject, session } = await this.#tickets.redeem(data.ticket, data.codeVerifier);
    const { entityName } = this;
    const strategy = this.authentication?.getStrategy(name);
    if (entityName === null || !(strategy instanceof OAuthStrategy)) throw new NotAuthenticated('Logins of this provider are off');
    const stored = await this.getEntity(user, { query: {} });
    const step = await strategy.getSecondStep(stored, params);
    if (step !== null) throw new SecondStepNeeded(name, step);
    const entity = params.provider === undefined ? stored : await this.getEntity(user, params);
    return { authentication: { strategy: name }, [entityName]: entity, [ORIGIN]: { strategy: name, subject, session } };
  }
}

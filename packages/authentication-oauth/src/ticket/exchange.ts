import { copyParams, type HookContext, type NextFunction } from '@framework/core';
import { isRecord } from '../values.ts';
import { SecondStepNeeded } from './second-step.ts';
import { isTicket } from './tickets.ts';

/** Name that the strategy of tickets is registered under. */
export const TICKET_STRATEGY = 'oauth-ticket';

/**
 * Around hook for `create` of the authentication service: a ticket logs in, also when a client sends it as the token of the strategy `jwt`, as
 * those do that know no tickets. Nowhere else is it worth anything. A login that needs a second step is answered with that.
 */
export async function exchangeTickets(context: HookContext, next: NextFunction): Promise<void> {
  const { data } = context;
  const ticket = ticketIn(data);
  if (ticket !== undefined) {
    const codeVerifier = isRecord(data) ? data.codeVerifier : undefined;
    context.data = { strategy: TICKET_STRATEGY, ticket, ...(codeVerifier === undefined ? {} : { codeVerifier }) };
    context.params = copyParams(context.params, { authStrategies: [TICKET_STRATEGY] });
  }
  try {
    await next();
  } catch (error) {
    if (!(error instanceof SecondStepNeeded)) throw error;
    context.result = { authentication: { strategy: error.strategy, secondStep: error.step } };
  }
}

function ticketIn(data: unknown): unknown {
  if (!isRecord(data) || Array.isArray(data)) return undefined;
  if (data.strategy === TICKET_STRATEGY) return data.ticket ?? '';
  return data.strategy === 'jwt' && isTicket(data.accessToken) ? data.accessToken : undefined;
}

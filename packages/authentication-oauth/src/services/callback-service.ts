import type { AuthenticationParams, AuthenticationResult } from '@framework/authentication';
import { callerAnswer, copyParams, createContext, loginResult, type Params } from '@framework/core';
import { FrameworkError, NotAuthenticated, toFrameworkError } from '@framework/errors';
import { errorCode, providerError, reasonOf } from '../errors.ts';
import { FLOW_AGE, noFlowCookie, readFlow } from '../flow/flow-cookies.ts';
import type { FlowRecord } from '../flow/flow-record.ts';
import type { OAuthHost } from '../host.ts';
import { ANSWER_PARAMETER } from '../lengths.ts';
import type { Provider, ProviderAnswer } from '../provider/provider.ts';
import type { OAuthProfile } from '../providers/preset.ts';
import type { OAuthStrategy } from '../strategy/oauth-strategy.ts';
import { BASE, LOGGED_IN, PROVIDER_LOGIN, type LoggedIn, type ProviderLogin } from '../strategy/verified.ts';
import { TICKET_STRATEGY } from '../ticket/exchange.ts';
import { isRecord, isText, property } from '../values.ts';
import { answering, type Answering } from './answer.ts';
import { ANSWER_NAMES, STATE } from './answer-parameters.ts';
import { checkStillLoggedIn } from './still-logged-in.ts';
import { firstName } from './posted-name.ts';

interface Flow {
  readonly provider: Provider;
  readonly strategy: OAuthStrategy;
  readonly record: FlowRecord;
  /** What the provider answered. */
  readonly answer: Readonly<Record<string, string>>;
  /** Name that was posted along. */
  readonly name: OAuthProfile;
}

/** Ends logins at a provider: what it answered is checked against the flow that this browser has begun. */
export class OAuthCallbackService {
  readonly #host: OAuthHost;

  constructor(host: OAuthHost) {
    this.#host = host;
  }

  /**
   * Takes the answer of a provider from the address.
   *
   * @returns nothing with a redirect, else the login
   * @throws NotAuthenticated (401) for an answer to no flow of this browser, and where there is no page to tell what has failed; NotFound (404); Unavailable (503)
   */
  async find(params: Params): Promise<AuthenticationResult | null> {
    return this.#end(params.query ?? {}, params);
  }

  /** Takes the answer of a provider that posts it, as {@link find} does. */
  async create(data: unknown, params: Params): Promise<AuthenticationResult | null> {
    const { provider } = this.#host.provider(property(params.route, 'provider'));
    if (!provider.posts) throw new NotAuthenticated('This provider posts no answers', { error: 'failed' });
    return this.#end(isRecord(data) ? data : {}, params);
  }

  async #end(values: Readonly<Record<string, unknown>>, params: Params): Promise<AuthenticationResult | null> {
    const answered = answering(params);
    const { provider, strategy } = this.#host.provider(property(params.route, 'provider'));
    const answer = answerOf(values);
    const record = await this.#flow(provider, answer.state, params);
    const isFirst = await this.#host.used.first('state', record.state, FLOW_AGE);
    answered({ cookies: [noFlowCookie(record.state, this.#host.cookieOptions(provider))] });
    const flow = { provider, strategy, record, answer, name: provider.posts ? firstName(values.user) : {} };
    const inner = copyParams(params, { query: {}, redirect: record.redirect, [BASE]: record.base }, ['authentication']);
    try {
      // Of a browser that has its cookie still, as after a double click: its page tells.
      if (!isFirst) throw expired();
      return await this.#login(flow, inner, answered);
    } catch (error) {
      return this.#failed(flow, error, inner, answered);
    }
  }

  /** @throws NotAuthenticated (401) */
  async #flow(provider: Provider, state: string | undefined, params: Params): Promise<FlowRecord> {
    const host = this.#host;
    if (state === undefined || !STATE.test(state)) throw expired();
    const record = await readFlow(state, params.headers ?? {}, host.cookieOptions(provider));
    const isOfThisProvider =
      record?.provider === provider.settings.name &&
      record.server === provider.server &&
      record.client === provider.settings.clientId &&
      record.redirectUri === host.redirectUri(provider);
    if (!isOfThisProvider) throw expired();
    return record;
  }

  async #login(flow: Flow, params: AuthenticationParams, answered: Answering): Promise<AuthenticationResult | null> {
    const { strategy, record } = flow;
    const { settings, tickets, authentication, linkStrategy } = this.#host;
    if (record.link) await checkStillLoggedIn(authentication, record.link, linkStrategy);
    const name = flow.provider.settings.name;
    const login: ProviderLogin = { redeem: () => redeem(flow), link: record.link?.sub };
    const result = loginResult(
      authentication,
      await authentication.authenticate({ strategy: name, [PROVIDER_LOGIN]: login }, params, name),
    );
    const who = loggedIn(result);
    const { challenge } = record;
    const ticket = await tickets.issue({ user: who.user, subject: who.subject, session: who.session, strategy: name, challenge });
    const step = await strategy.getSecondStep(who.entity, params);
    const shown = { ...result, accessToken: ticket };
    const location = await strategy.getRedirect(shown, params);
    if (location === null) return this.#exchange(ticket, params, answered);
    if (step !== null || challenge !== undefined || settings.response === 'ticket') {
      answered({ location, status: 303 });
      return null;
    }
    const { accessToken } = await this.#exchange(ticket, params, answered);
    const end = await strategy.getRedirect(
      settings.response === 'fragment' ? { ...result, accessToken: accessToken ?? '' } : result,
      params,
    );
    answered({ location: end ?? location, status: 303 });
    return null;
  }

  /** Logs in with a ticket at once. Where the request came from was made sure of by the flow. */
  async #exchange(ticket: string, params: AuthenticationParams, answered: Answering): Promise<AuthenticationResult> {
    const { authentication } = this.#host;
    const agent = params.headers?.['user-agent'];
    const inner = copyParams(params, { query: {}, headers: agent === undefined ? {} : { 'user-agent': agent } });
    const context = createContext(authentication, 'create');
    await Reflect.apply(authentication.create.bind(authentication), undefined, [{ strategy: TICKET_STRATEGY, ticket }, inner, context]);
    const cookies = context.http.headers?.['Set-Cookie'];
    if (cookies !== undefined) answered({ cookies: [cookies].flat() });
    const shown = callerAnswer(context);
    return isRecord(shown) ? { ...shown } : {};
  }

  async #failed(flow: Flow, given: unknown, params: AuthenticationParams, answered: Answering): Promise<null> {
    const error = toFrameworkError(given);
    const id = this.#host.tellFailed(flow.provider.settings.name, given, params);
    // Whoever listens gets the event; a fault of the server is never silent.
    if (error.code >= 500 && this.#host.app.rawListeners('oauth-failed').length === 0) {
      process.emitWarning(`A login at '${flow.provider.settings.name}' failed (${id}): ${reasonOf(given)}`);
    }
    const told = new FrameworkError(error.message, error.name, error.code, error.className, { error: errorCode(error), id });
    const location = await flow.strategy.getRedirect(told, params);
    if (location === null) throw told;
    answered({ location, status: 303 });
    return null;
  }
}

async function redeem({ provider, record, answer, name }: Flow): Promise<ProviderAnswer> {
  try {
    const found = await provider.redeem(answer, record);
    return { ...found, profile: { ...name, ...found.profile } };
  } catch (error) {
    throw providerError(error);
  }
}

/** @throws NotAuthenticated (401) for a parameter that is no text */
function answerOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const answer: Record<string, string> = {};
  for (const name of ANSWER_NAMES) {
    const value = values[name];
    if (value === undefined) continue;
    if (!isText(value, ANSWER_PARAMETER)) throw expired();
    answer[name] = value;
  }
  return answer;
}

function loggedIn(result: AuthenticationResult): LoggedIn {
  const found: unknown = Reflect.get(result, LOGGED_IN);
  if (!isRecord(found) || !isText(found.user) || !isText(found.subject))
    throw new Error('A strategy that overrides authenticate() must give what super.authenticate() gave');
  return { user: found.user, subject: found.subject, session: isText(found.session) ? found.session : undefined, entity: found.entity };
}

function expired(): NotAuthenticated {
  return new NotAuthenticated('This login has expired or was already used. Begin again', { error: 'expired' });
}

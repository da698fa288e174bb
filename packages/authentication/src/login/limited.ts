import { copyParams, tellListeners } from '@framework/core';
import type {
  AuthenticationApplication,
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  AuthenticationStrategy,
} from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { ownEntities } from '../entity/entity-rules.ts';
import { requestIdOf } from '../events/request-id.ts';
import type { LoginAttempt, LoginLimiter } from '../limiter/login-limiter.ts';
import { addressOf } from './address.ts';
import { isOfEnded } from '../ended.ts';
import { identify, isUnguessable, namesAccounts } from './identify.ts';
import { IDENTITY, type LoginIdentity } from './identity.ts';
import { codeOf } from '../sessions/store-call.ts';

/** A login that a strategy is to verify. */
export interface LimitedLogin {
  readonly name: string;
  readonly strategy: AuthenticationStrategy;
  readonly data: AuthenticationRequest;
  readonly params: AuthenticationParams;
}

/** What limiting needs of the service. */
export interface LimitHost {
  readonly app: AuthenticationApplication;
  readonly configuration: AuthenticationConfiguration;
  /** `undefined` where logins are not limited. */
  readonly limiter: LoginLimiter | undefined;
  /** Mark of a device that has logged in to the account before. */
  knownDevice(identity: LoginIdentity, data: AuthenticationRequest, params: AuthenticationParams): Promise<string | undefined>;
}

/** Verifies with the parameters that a strategy gets. */
export type Verify = (params: AuthenticationParams) => Promise<AuthenticationResult>;

/**
 * Verifies a login under the limiter: the address is asked first, then the account as it was found, and only then the secret
 * is looked at (security S22).
 *
 * @throws TooManyRequests (429) with `data.retryAfter`, and the error of the strategy
 */
export async function verifyLimited(host: LimitHost, login: LimitedLogin, verify: Verify): Promise<AuthenticationResult> {
  const { name, strategy, data, params } = login;
  if (isUnguessable(strategy)) return countFailure(host, login, verify);
  const from = { strategy: name, address: addressOf(params, data), ...requestIdOf(params) };
  const admitted: LoginAttempt[] = [];
  let counted: LoginIdentity = { account: '', known: false };
  try {
    if (host.limiter) admitted.push(await host.limiter.fromAddress(from));
    const identity = await identify(strategy, data, params);
    counted = accountOfEntities(host, strategy, identity);
    const device = await host.knownDevice(counted, data, params);
    if (host.limiter) admitted.push(await host.limiter.forAccount(from, counted, device));
    // Who has not said whom a login is for may say so with what it gives.
    const isNamed = namesAccounts(strategy);
    const result = await verify(isNamed ? copyParams(params, { [IDENTITY]: identity }) : params);
    // What was taken back is not taken back once more where the next one fails.
    while (admitted[0]) {
      await admitted[0].succeed();
      admitted.shift();
    }
    return isNamed ? { ...result, [IDENTITY]: identity } : result;
  } catch (error) {
    if (isRefusal(error)) tellFailed(host, login, counted);
    else for (const attempt of admitted) await attempt.undo();
    throw error;
  }
}

/** An account of a strategy whose entities are in a service of its own is none of the others, though it may have an id that one of those has. */
function accountOfEntities(
  { configuration }: LimitHost,
  strategy: AuthenticationStrategy,
  { account, known, text = '' }: LoginIdentity,
): LoginIdentity {
  const path = ownEntities({ configuration }, strategy);
  const own = (name: string): string => (path !== undefined && name !== '' ? JSON.stringify([path, name]) : name);
  return { account: own(account), known, text: own(text) };
}

/** Secrets that nobody can guess: those that are right, or were, pass uncounted, those that are wrong count for their address. */
async function countFailure(host: LimitHost, login: LimitedLogin, verify: Verify): Promise<AuthenticationResult> {
  const { name, data, params } = login;
  try {
    return await verify(params);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    tellFailed(host, login, { account: '', known: false });
    if (!isOfEnded(error)) await host.limiter?.fromAddress({ strategy: name, address: addressOf(params, data), ...requestIdOf(params) });
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return codeOf(error) === 401;
}

function tellFailed({ app, limiter }: LimitHost, { name, data, params }: LimitedLogin, identity: LoginIdentity): void {
  const account = identity.account === '' ? '' : (limiter?.digest(identity) ?? '');
  tellListeners(app, 'login-failed', [{ strategy: name, account, address: addressOf(params, data), ...requestIdOf(params) }]);
}

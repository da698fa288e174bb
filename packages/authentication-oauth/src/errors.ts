import { isFrameworkError, NotAuthenticated, unavailable, type FrameworkError } from '@framework/errors';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { errors as joseErrors } from 'jose';
import { ProviderFault } from './provider/bounded-fetch.ts';
import { property } from './values.ts';

/** What a page is told of a login that failed; never more. */
export type OAuthErrorCode = 'access_denied' | 'account-exists' | 'already-linked' | 'expired' | 'failed' | 'unavailable';

const CODES: ReadonlySet<unknown> = new Set(['access_denied', 'account-exists', 'already-linked', 'expired', 'failed', 'unavailable']);

/** @returns the code that a page is told of an error */
export function errorCode(error: unknown): OAuthErrorCode {
  const told = property(property(error, 'data'), 'error');
  if (isCode(told)) return told;
  return property(error, 'code') === 503 ? 'unavailable' : 'failed';
}

function isCode(value: unknown): value is OAuthErrorCode {
  return CODES.has(value);
}

/**
 * The error of a question to a provider: 503 where the provider is at fault, else 401. Its cause is kept for {@link reasonOf} and never sent.
 */
export function providerError(error: unknown): FrameworkError {
  if (isFrameworkError(error)) return error;
  if (withFault(error) || passes(error)) return unavailable('The provider can not be asked at present', error, { error: 'unavailable' });
  const refused = error instanceof AuthorizationResponseError && error.error === 'access_denied';
  const denied = new NotAuthenticated('The login at the provider failed', { error: refused ? 'access_denied' : 'failed' });
  return Object.defineProperty(denied, 'cause', { value: error, configurable: true });
}

/** What a provider says of itself, and not of the login (RFC 6749, 4.1.2.1): it may be otherwise a little later. */
function passes(error: unknown): boolean {
  const isAnswer = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  return isAnswer && (error.error === 'temporarily_unavailable' || (error instanceof ResponseBodyError && error.status === 429));
}

function withFault(error: unknown): boolean {
  for (let at = error, depth = 0; at !== undefined && depth < 5; at = property(at, 'cause'), depth++) {
    if (at instanceof ProviderFault) return true;
  }
  return false;
}

/**
 * Says why a login failed, for logs: names and codes, and texts of our own. What a provider has written is never in it, so no token is.
 */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error, depth = 0; at !== undefined && at !== null && depth < 4; at = property(at, 'cause'), depth++) {
    parts.push(partOf(at));
  }
  return parts
    .filter((part) => part !== '')
    .join(' < ')
    .replace(/[\x00-\x1f\x7f]/g, ' ')
    .slice(0, 500);
}

function partOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return `${error.name} ${wordOf(error.error)}`;
  if (isFrameworkError(error) || error instanceof ProviderFault) return `${error.name}: ${error.message}`;
  if (error instanceof joseErrors.JOSEError || error instanceof ClientError) return `${error.name} ${wordOf(error.code)}`;
  return error instanceof Error ? error.name : '';
}

function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w-]{1,60}$/.test(value) ? value : '';
}

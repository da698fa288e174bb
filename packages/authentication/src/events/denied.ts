import { isApplication, tellListeners, watchErrors, type HookContext } from '@framework/core';
import { AuthenticationBase } from '../authentication-base.ts';
import type { AuthenticationApplication } from '../authentication-types.ts';
import { requestIdOf } from './request-id.ts';
import { codeOf } from '../sessions/store-call.ts';

/** What the event `authz-denied` tells of a call from outside that was refused; nothing of what it brought (security S45). */
export interface Denied {
  readonly path: string;
  readonly method: string;
  readonly provider: string;
  /** Name of the error, for example `Forbidden`. */
  readonly error: unknown;
  readonly requestId?: string;
}

const watched = new WeakSet<AuthenticationApplication>();

/**
 * Watches every service of an application for calls from outside that end with 401 or 403, whoever refuses them: the framework's hooks or those of the
 * application. Logins that fail are told as `login-failed`, and not once more here.
 */
export function watchDenied(app: AuthenticationApplication): void {
  if (watched.has(app) || !isApplication(app)) return;
  watched.add(app);
  watchErrors(app, (error, context) => {
    const code = codeOf(error);
    if (code === 403 || (code === 401 && !isLogin(context))) tellDenied(app, context, error);
  });
}

function isLogin({ service, method }: HookContext): boolean {
  return method === 'create' && service instanceof AuthenticationBase;
}

function tellDenied(app: AuthenticationApplication, { path, method, params }: HookContext, error: unknown): void {
  if (params.provider === undefined) return;
  const name: unknown = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  const denied: Denied = { path, method, provider: params.provider, error: name, ...requestIdOf(params) };
  tellListeners(app, 'authz-denied', [denied]);
}

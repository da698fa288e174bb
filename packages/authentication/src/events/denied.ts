import { isApplication, watchErrors, type HookContext } from '@framework/core';
import type { AuthenticationApplication } from '../authentication-types.ts';
import { requestIdOf } from './request-id.ts';
import { tell } from './tell.ts';
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

const told = new WeakSet<object>();
const watched = new WeakSet<object>();

/** Tells of a refused call from outside, once. */
export function tellDenied({ app, path, method, params }: HookContext, error: unknown): void {
  if (params.provider === undefined || typeof error !== 'object' || error === null || told.has(error)) return;
  told.add(error);
  const denied: Denied = { path, method, provider: params.provider, error: (error as { name?: unknown }).name, ...requestIdOf(params) };
  tell(app as AuthenticationApplication, 'authz-denied', denied);
}

/** Watches every service of an application for calls from outside that end with 403, whoever refuses them. */
export function watchDenied(app: AuthenticationApplication): void {
  if (watched.has(app) || !isApplication(app)) return;
  watched.add(app);
  watchErrors(app, (error, context) => {
    if (codeOf(error) === 403) tellDenied(context, error);
  });
}

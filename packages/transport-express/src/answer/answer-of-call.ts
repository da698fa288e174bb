import { callerAnswer, type HookContext } from '@framework/core';
import { makeAnswer, type Answer, type Header } from './answer.ts';
import { cachingOf, COMMON_HEADERS, headersOfHook, joinHeaders } from './header-policy.ts';
import { createdLocation, encodeUrl } from './location.ts';

/** A finished service call. */
export interface FinishedCall {
  readonly context: HookContext;
  /** URL of the request, as it came; the path of a created record is made from it. */
  readonly url: string;
  /** Whether the service gives single records a strong tag. */
  readonly conditional: boolean;
}

/**
 * The answer of a finished service call: what was made for this caller, else `dispatch` when it is set, else the result.
 *
 * @returns an answer whose content is a value without a form
 * @throws Error for a status of the application that no answer can have
 * @see decisions: success status
 */
export function answerOf(call: FinishedCall): Answer {
  const { context } = call;
  const value = callerAnswer(context);
  const status = statusOf(context, value);
  return makeAnswer(status, headersOf(call, value), { kind: 'value', value });
}

function statusOf({ http, method }: HookContext, value: unknown): number {
  if (http.status !== undefined) return finalStatus(http.status);
  if (http.location !== undefined) return 303;
  if (!value) return 204;
  return method === 'create' ? 201 : 200;
}

/** What is below 200 tells a client that the answer is still to come: it would wait for it. */
function finalStatus(status: number): number {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new Error(`'context.http.status' is a whole number from 200 to 599, and not ${String(status)}`);
}

function headersOf({ context, url, conditional }: FinishedCall, value: unknown): readonly Header[] {
  const { http, method } = context;
  const caching = cachingOf(isPersonal(context), conditional && method === 'get');
  const location =
    http.location !== undefined ? encodeUrl(http.location) : method === 'create' ? createdLocation(context, value, url) : undefined;
  if (http.headers === undefined && location === undefined && caching === undefined) return COMMON_HEADERS;
  const ours: Header[] = [...COMMON_HEADERS];
  // A hook may have set its own, which stays; where it has named a target, that is the one.
  if (location !== undefined) ours.push({ name: 'Location', value: location, rule: http.location === undefined ? 'keep' : 'set' });
  if (caching !== undefined) ours.push(caching);
  return joinHeaders(headersOfHook(http.headers ?? {}), ours);
}

function isPersonal({ params }: HookContext): boolean {
  const { authenticated, authentication, user } = params as { authenticated?: unknown; authentication?: unknown; user?: unknown };
  return authenticated === true || authentication !== undefined || user !== undefined;
}

import type { FrameworkError, FrameworkErrorJSON } from '@framework/errors';
import { makeAnswer, JSON_TYPE, type Answer, type Content, type Header } from './answer.ts';
import type { ErrorForm } from './error-form.ts';
import { errorPage } from './error-page.ts';
import { COMMON_HEADERS, joinHeaders, NEVER_STORED } from './header-policy.ts';

/** What an error answer depends on beside the error. */
export interface Failure {
  readonly error: FrameworkError;
  /** Headers that the error itself asks for. */
  readonly headers: readonly Header[];
  readonly form: ErrorForm;
  /** Id under which the error is logged; the client gets it for errors of 500 and above. */
  readonly id: string | undefined;
  /** Whether the request had an `Authorization` header. */
  readonly authorized: boolean;
}

/**
 * The answer of an error.
 *
 * @see interface 7, decisions: error body, security S38, S40, S41
 */
export function answerOfError(failure: Failure): Answer {
  return makeAnswer(errorStatus(failure.error), errorHeaders(failure), contentOf(failure));
}

/** @returns the error's own status, or 500 for one that is none */
export function errorStatus({ code }: FrameworkError): number {
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
}

/** The headers of an error answer, whoever makes its body. */
export function errorHeaders({ error, headers: own, id, authorized }: Omit<Failure, 'form'>): readonly Header[] {
  const headers: Header[] = [...COMMON_HEADERS, NEVER_STORED];
  if (id !== undefined) headers.push({ name: 'X-Correlation-Id', value: id, rule: 'set' });
  const challenge = challengeOf(error.code, authorized);
  if (challenge !== undefined) headers.push({ name: 'WWW-Authenticate', value: challenge, rule: 'keep' });
  const { retryAfter } = (error.data ?? {}) as { retryAfter?: unknown };
  if ((error.code === 429 || error.code === 503 || error.code === 409) && typeof retryAfter === 'number' && Number.isFinite(retryAfter)) {
    headers.push({ name: 'Retry-After', value: String(Math.max(1, Math.ceil(retryAfter))), rule: 'set' });
  }
  return joinHeaders(own, headers);
}

function challengeOf(code: number, authorized: boolean): string | undefined {
  if (code === 401) return authorized ? 'Bearer realm="api", error="invalid_token"' : 'Bearer realm="api"';
  return code === 403 && authorized ? 'Bearer realm="api", error="insufficient_scope"' : undefined;
}

function contentOf({ error, form, id }: Failure): Content {
  if (form === 'html') return { kind: 'text', type: 'text/html; charset=utf-8', text: errorPage(error, id) };
  const body = bodyOf(error, id);
  if (form === 'json') return { kind: 'value', value: body, type: JSON_TYPE };
  const { name, message, code, ...rest } = body;
  const value = { type: 'about:blank', title: name, status: code, detail: message, ...rest };
  return { kind: 'value', value, type: 'application/problem+json; charset=utf-8' };
}

/** Data of an error may hold anything; what can not be written as JSON is left out, and nothing besides. */
function bodyOf(error: FrameworkError, id: string | undefined): FrameworkErrorJSON {
  const { data, errors, ...rest } = error.toJSON();
  const facts = isWritable(data) ? data : undefined;
  const told = id === undefined ? facts : { ...(typeof facts === 'object' ? facts : {}), correlationId: id };
  return { ...rest, ...(told === undefined ? {} : { data: told }), ...(errors === undefined || !isWritable(errors) ? {} : { errors }) };
}

function isWritable(value: unknown): boolean {
  if (value === undefined) return true;
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

import type { HookContext, Http } from '@framework/core';

/** What is sent for a finished service call. */
export interface RestResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers beside those of the formatter. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** `dispatch` when it is set, else the result. */
  readonly body: unknown;
}

/**
 * Works out status, headers and body of an answer.
 *
 * @param context context of the finished call
 * @param url of the request; that of the service makes the `Location` of a created record
 * @see decisions: success status
 */
export function restResponse(context: HookContext, url: string): RestResponse {
  const { http } = context;
  const body = context.dispatch === undefined ? context.result : context.dispatch;
  return { status: statusOf(context, http, body), headers: headersOf(context, http, body, url), body };
}

function statusOf(context: HookContext, http: Http, body: unknown): number {
  if (http.status !== undefined) return http.status;
  if (http.location !== undefined) return 303;
  if (!body) return 204;
  return context.method === 'create' ? 201 : 200;
}

function headersOf(context: HookContext, http: Http, body: unknown, url: string): Record<string, string | string[]> {
  if (http.location !== undefined) return { ...http.headers, Location: encodeUrl(http.location) };
  if (context.method !== 'create' || hasLocation(http)) return http.headers ?? {};
  const id = idOf(context, body);
  if (id === undefined) return http.headers ?? {};
  return { ...http.headers, Location: `${withoutSlash(url.split('?', 1)[0] as string)}/${encodeURIComponent(id)}` };
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.replace(/\/+$/, '') : path;
}

function hasLocation(http: Http): boolean {
  return Object.keys(http.headers ?? {}).some((name) => name.toLowerCase() === 'location');
}

function idOf(context: HookContext, body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const idName = (context.service as { id?: unknown }).id;
  const id = (body as Record<string, unknown>)[typeof idName === 'string' ? idName : 'id'];
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  // Database ids are objects with a text form of their own.
  return typeof id === 'object' && id !== null && typeof (id as { toHexString?: unknown }).toHexString === 'function'
    ? String(id)
    : undefined;
}

/** Encodes what may not stand in a header; existing percent-encoding stays. */
function encodeUrl(url: string): string {
  return encodeURI(url).replace(/%25([0-9a-f]{2})/gi, '%$1');
}

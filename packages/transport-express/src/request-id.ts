import { randomUUID } from 'node:crypto';

/** A `traceparent` of the W3C: version, id of the trace, id of the caller's span, flags. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
/** What may stand in a log line, or in a page, as it is. */
const GIVEN_ID = /^[\w.~:+/=@-]{1,128}$/;

const KNOWN = new WeakMap<object, string>();

/**
 * The id of a request, for logs and answers: the id of the trace in its header `traceparent`, or its `X-Request-Id` (at most 128 letters, digits and
 * `_.~:+/=@-`), or one that is made when somebody asks first. Each call with the same request, or with the parameters of its service calls, gives the same.
 *
 * @param source a request, or the `params` of a call
 * @returns `undefined` for the parameters of a call that does not come from a request
 */
export function requestId(source: { readonly headers: object }): string;
export function requestId(source: { readonly headers?: unknown }): string | undefined;
export function requestId({ headers }: { readonly headers?: unknown }): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  // Copies of the parameters have the same headers.
  let id = KNOWN.get(headers);
  if (id === undefined) {
    id = givenId(headers) ?? randomUUID();
    KNOWN.set(headers, id);
  }
  return id;
}

function givenId(headers: { readonly traceparent?: unknown; readonly 'x-request-id'?: unknown }): string | undefined {
  const { traceparent, 'x-request-id': given } = headers;
  const trace = typeof traceparent === 'string' ? TRACE_PARENT.exec(traceparent)?.[1] : undefined;
  return trace ?? (typeof given === 'string' && GIVEN_ID.test(given) ? given : undefined);
}

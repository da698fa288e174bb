import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isOwnPage } from '@framework/channels';
import { Forbidden, MethodNotAllowed, NotAcceptable } from '@framework/errors';

/** A request as Express gives it, and what middleware puts on it. */
export interface StreamRequest extends IncomingMessage {
  /** Network address of the client, as the setting `trust proxy` says. */
  readonly ip?: string;
  /** Credentials that middleware has found. */
  readonly authentication?: unknown;
  /** What middleware wants the connection to have. */
  readonly framework?: Readonly<Record<string, unknown>>;
}

/**
 * Checks the method and what the client understands.
 *
 * @throws MethodNotAllowed (405), NotAcceptable (406)
 */
export function checkRequest({ method = 'GET', headers }: StreamRequest, res: ServerResponse): void {
  if (method !== 'GET' && method !== 'HEAD') {
    res.setHeader('Allow', 'GET, HEAD');
    throw new MethodNotAllowed(`Method '${method}' is not allowed here: a stream is read by GET`);
  }
  if (!takesStreams(headers.accept)) throw new NotAcceptable("A stream is 'text/event-stream': the header 'Accept' has to allow it");
}

/** The most precise part of the header counts. */
function takesStreams(accept = '*/*'): boolean {
  const ranges = new Map(
    accept.split(',').map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      return [range, parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'];
    }),
  );
  const quality = ranges.get('text/event-stream') ?? ranges.get('text/*') ?? ranges.get('*/*');
  return Number(quality) > 0;
}

/**
 * The headers that count. A page of another origin may read a stream when the application's CORS middleware, which stands in front, lets it;
 * unless that lets it send cookies too, cookies say nothing.
 *
 * @param req the request that asks for a stream
 * @param res its response, with the headers of CORS
 * @throws Forbidden (403) for a page that the server is not for
 * @see security S35
 */
export function trustedHeaders({ headers }: StreamRequest, res: ServerResponse): IncomingHttpHeaders {
  if (isOwnPage(headers)) return headers;
  const { origin, host, cookie, ...others } = headers;
  const allowed = res.getHeader('Access-Control-Allow-Origin');
  if (origin !== undefined && allowed === origin && res.getHeader('Access-Control-Allow-Credentials') === 'true') return headers;
  if (origin !== undefined && (allowed === origin || allowed === '*')) {
    return { ...others, origin, ...(host === undefined ? {} : { host }) };
  }
  throw new Forbidden('The origin of the page is not allowed: put cors(), with the origin, in front of sse()');
}

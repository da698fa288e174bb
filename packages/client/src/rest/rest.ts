import { FrameworkClientError } from '../errors/client-error.ts';
import { checkOptions } from '../check-options.ts';
import { need } from '../need.ts';
import type { RetryOptions, Transport, TransportAnswer } from '../transport.ts';
import { joinHeaders } from './join-headers.ts';
import { readAnswer } from './read-answer.ts';
import { requestBody } from './request-body.ts';
import { repeating } from './retry.ts';
import { requestUrl } from './request-url.ts';

/** Options of {@link rest}. */
export interface RestOptions {
  /** Makes requests in place of the platform's `fetch`. Default: `globalThis.fetch`, as it is when a call is made. */
  readonly fetch?: typeof fetch;
  /** Headers of all requests, or a function that gives them each time. Default: none. */
  readonly headers?:
    Readonly<Record<string, string>> | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  /** Whether cookies go along, as `fetch` has it. Default: `same-origin`; `include` for pages of another origin. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Milliseconds after which a call fails, with all its repetitions; `0` for never. Default: 30,000. */
  readonly timeout?: number;
  /** Repetitions of reads, and of writes with an `idempotencyKey`; `false` for none. Default: 3 times, see {@link RetryOptions}. */
  readonly retry?: RetryOptions | false;
  /** Most bytes of an answer. Default: 10,000,000. */
  readonly maxResponse?: number;
  /** Most letters of an address. Default: 8,192. */
  readonly maxUrl?: number;
  /** `follow` goes where the server sends a call. Default: `manual`, which makes it an error: data and tokens go nowhere else. */
  readonly redirect?: 'manual' | 'follow';
}

const VERBS: Readonly<Record<string, string>> = {
  find: 'GET',
  get: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  remove: 'DELETE',
};

/**
 * Calls over HTTP.
 *
 * @param url address of the server, with the path that all services lie below; `''` for the page's own origin
 * @throws TypeError for an option that there is not
 * @see interface 4.1
 */
export function rest(url: string, options: RestOptions = {}): Transport {
  checkOptions('rest()', options, 'fetch headers credentials timeout retry maxResponse maxUrl redirect');
  need((url as string | undefined)?.length, 'rest() needs a url');
  const base = url.replace(/\/+$/, '');
  return {
    name: base,
    timeout: options.timeout ?? 30_000,
    async call(call) {
      const { retry = options.retry ?? {}, signal } = call.params;
      const address = requestUrl(base, call, options.maxUrl ?? 8192);
      const { body, type, repeatable } = requestBody(call.data);
      const { headers, credentials } = options;
      const own = typeof headers === 'function' ? await headers() : headers;
      const verb = VERBS[call.method];
      const request: RequestInit = {
        method: verb ?? 'POST',
        headers: joinHeaders(
          {
            accept: 'application/json',
            'content-type': type,
            'x-service-method': verb ? undefined : call.method,
            'idempotency-key': call.params.idempotencyKey,
          },
          own,
          call.headers,
          call.params.headers,
        ),
        redirect: options.redirect ?? 'manual',
        signal,
        // For `fetch` what is undefined is not there.
        credentials: credentials as NonNullable<typeof credentials>,
        // Streams are sent while the answer is awaited.
        ...(body !== undefined && { body, ...(!repeatable && { duplex: 'half' }) }),
      };
      return repeating(call, repeatable, retry || { attempts: 1 }, () => once(address, request, options), signal);
    },
  };
}

async function once(url: string, request: RequestInit, { fetch: own, maxResponse = 10_000_000 }: RestOptions): Promise<TransportAnswer> {
  try {
    return await readAnswer(await (own ?? fetch)(url, request), maxResponse);
  } catch (error) {
    if (error instanceof FrameworkClientError || request.signal?.aborted) throw error;
    throw new FrameworkClientError('network', 'The server can not be reached, or hung up', { code: 503, cause: error });
  }
}

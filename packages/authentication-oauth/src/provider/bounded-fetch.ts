import { isSafeUrl, property } from '../values.ts';

/** Sends a request as `fetch` does. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** Longest time and size of an answer of a provider. */
export const BOUNDS = { milliseconds: 10_000, bytes: 65_536 } as const;

/** A provider that does not answer, or not as it should. Neither text nor content of the answer is in it. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
}

/**
 * Asks providers within bounds: HTTPS, ten seconds, 64 KiB, and no way to anywhere else (requirements of OAuth: O11).
 *
 * @param send sends the request. Default: `fetch`
 * @throws ProviderFault
 */
export function boundedFetch(send: Fetch = fetch): Fetch {
  return async (url, options) => {
    if (!isSafeUrl(new URL(url))) throw new ProviderFault('The provider named an address without HTTPS');
    const ended = AbortSignal.timeout(BOUNDS.milliseconds);
    const signal = options.signal ? AbortSignal.any([options.signal, ended]) : ended;
    const response = await within(signal, async () => send(url, { ...options, redirect: 'manual', signal }));
    if (response.status >= 500) throw new ProviderFault(`The provider answered ${response.status}`);
    if (response.status >= 300 && response.status < 400) throw new ProviderFault('The provider answered with another address');
    const { status, headers } = response;
    const body = await within(signal, () => content(response));
    return new Response(EMPTY.has(status) ? null : body, {
      status,
      headers: new Headers([...headers].filter(([name]) => !ENCODING.has(name))),
    });
  };
}

/** Statuses of answers without content. */
const EMPTY: ReadonlySet<number> = new Set([204, 205]);

/** The content was decoded already. */
const ENCODING: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

async function content({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream: AsyncIterable<Uint8Array> | null = body;
  for await (const part of stream ?? []) {
    length += part.length;
    if (length > BOUNDS.bytes) throw new ProviderFault(`The provider answered with more than ${BOUNDS.bytes} bytes`);
    parts.push(part);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A function of the application's own may know nothing of the signal. */
async function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    stop = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([ended, work()]);
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    const timedOut = property(error, 'name') === 'TimeoutError';
    throw new ProviderFault(timedOut ? 'The provider did not answer in time' : 'The provider can not be reached');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

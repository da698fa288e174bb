import { FrameworkClientError } from '../errors/client-error.ts';
import type { RetryOptions, TransportCall } from '../transport.ts';
import { wait } from '../wait.ts';

/**
 * Makes a call, and makes it again while that is safe and of use: reads, and writes with a key that the server knows them by. What waits for the
 * server's `Retry-After` waits that long, and a random part of the delay more.
 *
 * @param run makes the call once
 * @param signal ends the waits
 */
export async function repeating<T>(
  { method, params }: TransportCall,
  repeatable: boolean,
  { attempts = 3, delay = 300, maxDelay = 10_000 }: RetryOptions,
  run: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const safe = repeatable && (/^(find|get)$/.test(method) || params.idempotencyKey);
  for (let made = 1; ; made++) {
    try {
      // Headers and logins may have come late; a fetch that is given need not look.
      if (signal.aborted) throw signal.reason;
      return await run();
    } catch (error) {
      // A number that is none allows no repetition.
      if (!(safe && made < attempts) || signal.aborted || !isForLater(error)) throw error;
      const asked = askedFor(error);
      // A conflict passes only where the server says when.
      if (asked > maxDelay || (error.code === 409 && !asked)) throw error;
      await wait(asked + Math.random() * (asked ? delay : Math.min(maxDelay, delay * 2 ** made)), signal);
    }
  }
}

/** Of a server, or what stands before it, that can not answer now, or is still at the call whose key this one has. */
function isForLater(error: unknown): error is FrameworkClientError {
  return error instanceof FrameworkClientError && /^(network|40[89]|429|50[234])$/.test(`${error.response?.status ?? error.kind}`);
}

/** @returns milliseconds; 0 where the server asks for nothing that can be read */
function askedFor({ response }: FrameworkClientError): number {
  const asked = response?.headers.get('retry-after') ?? '';
  return Math.max(0, +asked * 1000 || Date.parse(asked) - Date.now() || 0);
}

import type { IncomingMessage } from 'node:http';

/** Says of the address of a hop, counted from the server, whether it is a proxy that is believed. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * The network address of a client: behind proxies what they say, as far as the setting `trust proxy` of Express believes them.
 *
 * @param req the request that opened the connection
 * @param trust compiled setting; `undefined` where no proxy is believed
 * @returns `undefined` where nobody says it
 * @see security S24
 */
export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trust: TrustProxy | undefined,
): string | undefined {
  const { remoteAddress } = socket;
  if (!trust) return remoteAddress;
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  // A proxy on the same machine may come over a socket of the file system, and has no address itself.
  const hops = [remoteAddress ?? '', ...forwarded.reverse()];
  return hops.find((address, hop) => hop === hops.length - 1 || !trust(address, hop)) || undefined;
}

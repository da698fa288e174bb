import { isSafeUrl } from '../values.ts';
import { ProviderFault } from './bounded-fetch.ts';

/** Browsers are sent there, and secrets. */
const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'end_session_endpoint'] as const;
const NEEDED: ReadonlySet<string> = new Set(['authorization_endpoint', 'token_endpoint']);

/** @throws ProviderFault for metadata with an address that is none, or without HTTPS, or without one that is needed */
export function checkAddresses(metadata: Readonly<Partial<Record<(typeof ADDRESSES)[number], unknown>>>): void {
  for (const name of ADDRESSES) {
    const address = metadata[name];
    if (address === undefined && !NEEDED.has(name)) continue;
    if (typeof address !== 'string' || !URL.canParse(address) || !isSafeUrl(new URL(address)))
      throw new ProviderFault(`The metadata of the provider have no '${name}' with HTTPS`);
  }
}

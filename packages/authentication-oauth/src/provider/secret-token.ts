import { importPKCS8, SignJWT } from 'jose';
import type { SecretKey } from '../settings/provider-settings.ts';

/** How long a signed client secret counts, in seconds: it is made for one request. */
const LIFE = 300;

/**
 * Makes the client secret of a provider that wants a signed one.
 *
 * @param audience issuer of the provider
 * @throws Error for a key that is none
 */
export async function clientSecretToken({ teamId, keyId, privateKey }: SecretKey, clientId: string, audience: string): Promise<string> {
  const key = await importPKCS8(privateKey, 'ES256');
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${LIFE}s`)
    .sign(key);
}

import { createPrivateKey } from 'node:crypto';
import type { ProviderPreset } from '../providers/preset.ts';
import { never } from '../providers/presets.ts';
import type { Options } from './options.ts';

/** Settings with two names: ours, and that of FeathersJS's applications. */
const SAME = [
  ['clientId', 'key'],
  ['clientSecret', 'secret'],
  ['parameters', 'custom_params'],
] as const;

/**
 * The settings of a provider with those that all share. What a provider says of itself wins, by whichever name it says it.
 *
 * @param defaults settings of all providers
 * @param own settings of the provider
 */
export function withDefaults(
  defaults: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const said = SAME.flatMap((names) => (names.some((name) => own[name] !== undefined) ? names : []));
  return { ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !said.some((one) => one === name))), ...own };
}

/** What of the settings of a provider counts. */
export interface UsedSettings {
  readonly preset: ProviderPreset;
  /** Whether the three addresses of a provider without OpenID Connect are given. */
  readonly hasEndpoints: boolean;
}

/**
 * Refuses settings that say something, and that nothing would be done with.
 *
 * @param options all settings of the provider
 * @param own those of the provider alone: what all share need not be for each
 * @throws Error that names the setting and says how to mend it
 */
export function refuseUnused(options: Options, own: Readonly<Record<string, unknown>>, { preset, hasEndpoints }: UsedSettings): void {
  const { values } = options;
  for (const [name, other] of SAME.slice(0, 2)) {
    if (values[name] !== undefined && values[other] !== undefined && values[name] !== values[other])
      options.refuse(other, `left out where '${name}' is given: it is the same setting`);
  }
  if (hasEndpoints && own.issuer !== undefined)
    options.refuse(
      'issuer',
      "left out where 'authorize_url', 'access_url' and 'profile_url' are given: with these there is no OpenID Connect, and no ID token is looked at",
    );
  if (own.subdomain !== undefined && (hasEndpoints || values.issuer !== undefined || preset.issuer?.includes('[subdomain]') !== true))
    options.refuse('subdomain', 'left out: the address of the provider has no part for it');
  if (own.linkByEmail === true && preset.emailVerified === never)
    options.refuse('linkByEmail', 'left out: the provider says of no address that it is verified');
  refuseUnusedSecrets(options, own, preset);
}

function refuseUnusedSecrets(options: Options, own: Readonly<Record<string, unknown>>, { signedSecret }: ProviderPreset): void {
  const { clientSecret, secret = clientSecret } = options.values;
  const { tokenEndpointAuthMethod: method } = own;
  // One that nothing is signed with is refused where it is read.
  const privateKey = signedSecret === true ? options.values.privateKey : undefined;
  if (privateKey !== undefined && secret !== undefined)
    options.refuse('clientSecret', "left out where 'privateKey' signs one for each login");
  const hasSecret = privateKey !== undefined || secret !== undefined;
  if (method === 'none' && hasSecret) options.refuse('tokenEndpointAuthMethod', 'left out, or the secret: with none it is never sent');
  if (method !== undefined && method !== 'none' && !hasSecret)
    options.refuse('clientSecret', "set where 'tokenEndpointAuthMethod' says how it is sent");
  if (typeof privateKey === 'string' && !isSigningKey(privateKey))
    options.refuse('privateKey', "the text of a key for ES256 (PKCS #8), which begins with '-----BEGIN PRIVATE KEY-----'");
}

function isSigningKey(text: string): boolean {
  if (!text.startsWith('-----BEGIN PRIVATE KEY-----')) return false;
  try {
    return createPrivateKey(text).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

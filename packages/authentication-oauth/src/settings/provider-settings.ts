import type { ClientAuthMethod, ProviderEndpoints, ProviderPreset } from '../providers/preset.ts';
import { openid, plain, providers } from '../providers/presets.ts';
import { isSafeUrl } from '../values.ts';
import { Options } from './options.ts';
import { refuseUnused } from './unused-settings.ts';

/** What signs the client secret of a provider that wants a signed one. */
export interface SecretKey {
  readonly teamId: string;
  readonly keyId: string;
  /** PEM text (PKCS #8). */
  readonly privateKey: string;
}

/** Settings of one provider, checked and with those of its preset. */
export interface ProviderSettings {
  readonly name: string;
  readonly preset: ProviderPreset;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly secretKey: SecretKey | undefined;
  readonly issuer: string | undefined;
  readonly endpoints: ProviderEndpoints | undefined;
  readonly scope: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Seconds since the person has logged in at the provider at most, of the parameter `max_age`; `undefined` for any time. */
  readonly maxAge: number | undefined;
  readonly redirectUri: string | undefined;
  readonly authMethod: ClientAuthMethod | undefined;
  readonly audiences: readonly string[] | undefined;
  readonly linkByEmail: boolean;
}

/** Settings that a provider may have. */
export const PROVIDER_NAMES: ReadonlySet<string> = new Set([
  'clientId',
  'key',
  'clientSecret',
  'secret',
  'issuer',
  'subdomain',
  'preset',
  'scope',
  'parameters',
  'custom_params',
  'redirect_uri',
  'authorize_url',
  'access_url',
  'profile_url',
  'nonce',
  'state',
  'pkce',
  'tokenEndpointAuthMethod',
  'idToken',
  'linkByEmail',
  'teamId',
  'keyId',
  'privateKey',
  'oauth',
]);

/** Parameters of the authorization address that are ours alone. */
export const RESERVED: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]);

/**
 * Reads the settings of a provider.
 *
 * @param values with those that all providers share
 * @param own without them
 * @param linkByEmail whether providers link by address that say nothing of it
 * @throws Error that names the setting and says how to mend it
 */
export function providerSettings(
  name: string,
  values: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
  linkByEmail: boolean,
): ProviderSettings {
  const options = new Options(`authentication.oauth.${name}`, values);
  options.only(PROVIDER_NAMES);
  for (const always of ['nonce', 'state', 'pkce']) {
    if (values[always] !== undefined && values[always] !== true) options.refuse(always, 'true or left out: it can not be turned off');
  }
  if (values.oauth !== undefined && values.oauth !== 2)
    options.refuse('oauth', '2 or left out: providers that speak OAuth 1 alone are not supported');
  const endpoints = endpointsOf(options);
  const preset = presetOf(options, name, endpoints);
  refuseUnused(options, own, { preset, hasEndpoints: endpoints !== undefined });
  const issuer = endpoints ? undefined : issuerOf(options, preset);
  const found = endpoints ?? preset.endpoints;
  const parameters = { ...preset.parameters, ...parametersOf(options) };
  if (issuer === undefined && found === undefined) {
    options.refuse(
      'issuer',
      "set: nothing is known of a provider of this name. With OpenID Connect give its 'issuer', without it 'authorize_url', 'access_url' and 'profile_url'",
    );
  }
  return {
    name,
    preset,
    clientId: options.text('clientId') ?? options.text('key') ?? options.refuse('clientId', 'set: the id that the provider has given'),
    clientSecret: options.text('clientSecret') ?? options.text('secret'),
    secretKey: secretKeyOf(options, preset),
    issuer,
    endpoints: issuer === undefined ? found : undefined,
    scope: scopeOf(options, preset, issuer !== undefined),
    parameters,
    maxAge: issuer === undefined ? undefined : maxAgeOf(options, parameters),
    redirectUri: redirectUriOf(options),
    authMethod:
      options.oneOf('tokenEndpointAuthMethod', ['client_secret_post', 'client_secret_basic', 'none'] as const) ?? preset.authMethod,
    audiences: audiencesOf(options, issuer),
    linkByEmail: options.flag('linkByEmail') ?? linkByEmail,
  };
}

function presetOf(options: Options, name: string, endpoints: ProviderEndpoints | undefined): ProviderPreset {
  const asked = options.text('preset');
  if (asked !== undefined && !Object.hasOwn(providers, asked)) options.refuse('preset', `one of ${Object.keys(providers).join(', ')}`);
  const key = asked ?? name;
  return (Object.hasOwn(providers, key) ? providers[key] : undefined) ?? (endpoints ? plain : openid);
}

function endpointsOf(options: Options): ProviderEndpoints | undefined {
  const [authorization, token, profile] = [
    addressOf(options, 'authorize_url'),
    addressOf(options, 'access_url'),
    addressOf(options, 'profile_url'),
  ];
  if (authorization === undefined && token === undefined && profile === undefined) return undefined;
  if (authorization === undefined || token === undefined || profile === undefined)
    return options.refuse('authorize_url', "given together with 'access_url' and 'profile_url'");
  return { authorization, token, profile };
}

function issuerOf(options: Options, preset: ProviderPreset): string | undefined {
  const given = addressOf(options, 'issuer');
  const subdomain = options.text('subdomain') ?? preset.subdomain;
  if (subdomain !== undefined && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(subdomain))
    options.refuse('subdomain', 'a name without slashes');
  if (given !== undefined) return given;
  if (preset.issuer?.includes('[subdomain]') !== true) return preset.issuer;
  return preset.issuer.replace('[subdomain]', subdomain ?? options.refuse('subdomain', "set, or 'issuer'"));
}

function addressOf(options: Options, option: string): string | undefined {
  const address = options.text(option);
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isFit = url && isSafeUrl(url) && url.username === '' && url.hash === '';
  return isFit ? address : options.refuse(option, 'an HTTPS address; HTTP is for localhost alone');
}

/** The token address gets it once more as URLs are written, and without a query. */
function redirectUriOf(options: Options): string | undefined {
  const address = addressOf(options, 'redirect_uri');
  const url = address === undefined ? undefined : new URL(address);
  return url && url.search !== '' ? options.refuse('redirect_uri', 'an address without a query') : url?.href;
}

function scopeOf(options: Options, preset: ProviderPreset, isOpenId: boolean): string {
  const given = options.values.scope;
  const list = typeof given === 'string' ? given.split(/[\s,]+/) : (options.texts('scope') ?? preset.scope);
  const scope = list.filter((one) => one !== '');
  return [...(isOpenId && !scope.includes('openid') ? ['openid'] : []), ...scope].join(' ');
}

function parametersOf(options: Options): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const option of ['custom_params', 'parameters']) {
    for (const [name, value] of Object.entries(options.record(option) ?? {})) {
      if (RESERVED.has(name)) options.refuse(`${option}.${name}`, 'left out: it is set for each login');
      parameters[name] = typeof value === 'string' ? value : options.refuse(`${option}.${name}`, 'a text');
    }
  }
  return parameters;
}

function maxAgeOf(options: Options, { max_age: seconds }: Readonly<Record<string, string>>): number | undefined {
  if (seconds === undefined) return undefined;
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : options.refuse('parameters.max_age', 'a whole number of seconds as a text');
}

function audiencesOf(options: Options, issuer: string | undefined): readonly string[] | undefined {
  const idToken = options.record('idToken');
  if (idToken === undefined) return undefined;
  const inner = new Options(`${options.name}.idToken`, idToken);
  inner.only(new Set(['audiences']));
  const audiences = inner.texts('audiences') ?? [];
  if (audiences.length === 0) inner.refuse('audiences', 'a list of the client ids that ID tokens may be made for');
  if (issuer === undefined) options.refuse('idToken', 'left out: the provider has no OpenID Connect');
  return audiences;
}

function secretKeyOf(options: Options, preset: ProviderPreset): SecretKey | undefined {
  const [teamId, keyId, privateKey] = [options.text('teamId'), options.text('keyId'), options.text('privateKey')];
  if (teamId === undefined && keyId === undefined && privateKey === undefined) return undefined;
  if (preset.signedSecret !== true) return options.refuse('privateKey', 'left out: the provider takes a secret that is given');
  if (teamId === undefined || keyId === undefined || privateKey === undefined)
    return options.refuse('privateKey', "given together with 'teamId' and 'keyId'");
  return { teamId, keyId, privateKey };
}

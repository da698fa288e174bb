import { derivedFrom, type AuthenticationApplication, type AuthenticationConfiguration } from '@framework/authentication';
import { stripSlashes } from '@framework/core';
import { isRecord, isSafeUrl } from '../values.ts';
import { Options } from './options.ts';
import { PROVIDER_NAMES, providerSettings, type ProviderSettings } from './provider-settings.ts';
import { withDefaults } from './unused-settings.ts';

/** The section `oauth`, checked and with its defaults. */
export interface OAuthSettings {
  /** Without a slash at the end; `undefined` where the application says where it listens. */
  readonly origin: string | undefined;
  readonly redirect: string | undefined;
  readonly origins: readonly string[];
  readonly response: 'ticket' | 'cookie' | 'fragment';
  readonly prefix: string;
  readonly secret: string | undefined;
  readonly allowLoopback: boolean;
  readonly linkToken: 'query' | undefined;
  readonly emailField: string | null;
  readonly emailVerifiedField: string;
  readonly providers: ReadonlyMap<string, ProviderSettings>;
}

const NAMES: ReadonlySet<string> = new Set([
  'origin',
  'redirect',
  'origins',
  'response',
  'prefix',
  'secret',
  'allowLoopback',
  'linkToken',
  'linkByEmail',
  'emailField',
  'emailVerifiedField',
  'defaults',
]);
/** Names that are paths or strategies of others. */
const TAKEN: ReadonlySet<string> = new Set(['callback', 'constructor', 'jwt', 'local', 'refresh', 'api-key', 'oauth-ticket', 'logout']);
const SECRET_BYTES = 32;

type Compute = (configuration: AuthenticationConfiguration) => OAuthSettings | undefined;

const computes = new WeakMap<object, Compute>();

/**
 * The section `oauth` of a configuration. Where it does not say where browsers go, the setting `origins` of the application does, which the incumbent's
 * generator writes.
 *
 * @param app `undefined` for a strategy that is not registered
 * @returns `undefined` where there is none
 * @throws Error that names the setting and says how to mend it
 */
export function oauthSettings(
  app: Pick<AuthenticationApplication, 'get'> | undefined,
  configuration: AuthenticationConfiguration,
): OAuthSettings | undefined {
  if (!app) return settingsOf(configuration, undefined);
  const compute: Compute = computes.get(app) ?? ((given) => settingsOf(given, app.get('origins')));
  computes.set(app, compute);
  return derivedFrom(configuration, compute);
}

function settingsOf({ oauth, sessions }: AuthenticationConfiguration, appOrigins: unknown): OAuthSettings | undefined {
  if (oauth === undefined || oauth === null) return undefined;
  if (!isRecord(oauth)) throw new Error("'authentication.oauth' must be an object with providers");
  const options = new Options('authentication.oauth', oauth);
  const redirect = redirectOf(options);
  const settings = {
    origin: serverOrigin(options),
    redirect,
    origins: originsOf(options, redirect, appOrigins),
    response: options.oneOf('response', ['ticket', 'cookie', 'fragment'] as const) ?? ('ticket' as const),
    prefix: prefixOf(options),
    secret: secretOf(options),
    allowLoopback: options.flag('allowLoopback') ?? false,
    linkToken: options.oneOf('linkToken', ['query'] as const),
    emailField: oauth.emailField === null ? null : (options.text('emailField') ?? 'email'),
    emailVerifiedField: options.text('emailVerifiedField') ?? 'emailVerified',
  };
  if (settings.allowLoopback && process.env.NODE_ENV === 'production')
    options.refuse('allowLoopback', 'left out in production: any program on a machine could take logins');
  if (settings.response === 'cookie' && !hasCookies(sessions))
    options.refuse('response', "'ticket', or 'authentication.sessions' must have { cookie: true } or { refresh: 'cookie' }");
  if (settings.response === 'cookie' && redirect === undefined && settings.origins.length === 0)
    options.refuse('redirect', "set where 'response' is 'cookie'");
  const linkByEmail = options.flag('linkByEmail') ?? false;
  const providers = providersOf(options, linkByEmail);
  if (linkByEmail || [...providers.values()].some((provider) => provider.linkByEmail)) checkLinked(options, settings);
  return { ...settings, providers };
}

/** By names that lead into a part of an entity nobody would ever be linked. */
function checkLinked(options: Options, fields: Pick<OAuthSettings, 'emailField' | 'emailVerifiedField'>): void {
  for (const name of ['emailField', 'emailVerifiedField'] as const)
    if (fields[name]?.includes('.') !== false) options.refuse(name, "a name without dots where 'linkByEmail' is on");
}

function providersOf(options: Options, linkByEmail: boolean): ReadonlyMap<string, ProviderSettings> {
  const providers = new Map<string, ProviderSettings>();
  const defaults = defaultsOf(options);
  for (const [name, value] of Object.entries(options.values)) {
    if (NAMES.has(name)) continue;
    const isName = /^[a-z][a-z0-9-]*$/.test(name) && !TAKEN.has(name);
    if (!isName || !isRecord(value) || Array.isArray(value))
      options.refuse(
        name,
        `left out: it is no option (${[...NAMES].join(', ')}) and can not be the name of a provider with its settings, which has small letters, digits and '-'`,
      );
    else providers.set(name, providerSettings(name, withDefaults(defaults, value), value, linkByEmail));
  }
  return providers;
}

/** Where the incumbent's applications have what is said of the server, too. */
function defaultsOf(options: Options): Readonly<Record<string, unknown>> {
  const { name } = options;
  const found = options.record('defaults') ?? {};
  const defaults = new Options(`${name}.defaults`, found);
  for (const one of Object.keys(found)) {
    if (NAMES.has(one) && !PROVIDER_NAMES.has(one)) defaults.refuse(one, `left out: it is '${name}.${one}', which is not of providers`);
  }
  defaults.only(PROVIDER_NAMES);
  return found;
}

function serverOrigin(options: Options): string | undefined {
  const origin = options.text('origin');
  if (origin === undefined) return undefined;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (!url || !isSafeUrl(url) || url.search !== '' || url.hash !== '' || url.username !== '')
    return options.refuse('origin', 'the HTTPS address of this server, for example https://api.example.com; HTTP is for localhost alone');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function originsOf(options: Options, redirect: string | undefined, appOrigins: unknown): readonly string[] {
  const own = options.texts('origins');
  const isOfApplication = own === undefined && redirect === undefined && Array.isArray(appOrigins);
  const given = isOfApplication ? appOrigins.map(String) : (own ?? []);
  for (const origin of given) {
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin && /^https?:/.test(origin);
    if (isOrigin && mayTakeTickets(new URL(origin))) continue;
    const which = isOfApplication ? "those of the application's setting 'origins', or set: " : '';
    const what = isOrigin ? 'with HTTPS, where HTTP is for localhost alone' : 'such as https://app.example.com, without a path';
    options.refuse('origins', `${which}origins ${what}; '${origin.slice(0, 100)}' is none`);
  }
  const ofRedirect = redirect !== undefined && URL.canParse(redirect) ? [new URL(redirect).origin] : [];
  return [...new Set([...given, ...ofRedirect])];
}

/** With its origin as URLs are written, which it is compared with. */
function redirectOf(options: Options): string | undefined {
  const redirect = options.text('redirect');
  if (redirect === undefined || /^\/(?![/\\])/.test(redirect)) return redirect;
  const url = URL.canParse(redirect) ? new URL(redirect) : undefined;
  if (!url || !/^https?:\/\//i.test(redirect) || url.username !== '' || url.password !== '')
    return options.refuse('redirect', 'an address that begins with https://, or a path that begins with one /');
  if (!mayTakeTickets(url)) options.refuse('redirect', 'an HTTPS address');
  return redirect.replace(/^https?:\/\/[^/?#\\]*/i, url.origin);
}

/** A page that comes without encryption is whatever the network makes of it, and so is where it sends what it gets. */
function mayTakeTickets(page: URL): boolean {
  return isSafeUrl(page) || process.env.NODE_ENV !== 'production';
}

function prefixOf(options: Options): string {
  const prefix = stripSlashes(options.text('prefix') ?? 'oauth');
  return /^[\w-]+(\/[\w-]+)*$/.test(prefix) ? prefix : options.refuse('prefix', 'a path such as oauth');
}

function secretOf(options: Options): string | undefined {
  const secret = options.text('secret');
  if (secret !== undefined && Buffer.byteLength(secret) < SECRET_BYTES)
    options.refuse('secret', `a random text of ${SECRET_BYTES} bytes or more`);
  return secret;
}

function hasCookies(sessions: unknown): boolean {
  return isRecord(sessions) && (sessions.cookie === true || sessions.refresh === 'cookie');
}

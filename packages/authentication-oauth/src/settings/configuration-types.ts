import type { ClientAuthMethod } from '../providers/preset.ts';

/** Settings of one provider; the names of FeathersJS's applications are there beside our own. */
export interface ProviderConfiguration {
  /** Id of the client at the provider. `key` is the same. */
  clientId?: string;
  key?: string;
  /** Its secret; none for a public client. `secret` is the same. */
  clientSecret?: string;
  secret?: string;
  /** Issuer of an OpenID provider: an HTTPS address. */
  issuer?: string;
  /** The part of the issuer's address that is one's own: a tenant of `microsoft`, a domain of `auth0` or `okta`. */
  subdomain?: string;
  /** Name of the preset. Default: the name of the provider, when there is one of that name. */
  preset?: string;
  /** What is asked for. Default: the preset's. */
  scope?: string | readonly string[];
  /** Further parameters of the authorization address; a login is refused that is older than the seconds of `max_age`. `custom_params` is the same. */
  parameters?: Readonly<Record<string, string>>;
  custom_params?: Readonly<Record<string, string>>;
  /** Where the provider sends browsers to. Default: `<origin>/<prefix>/<provider>/callback`. */
  redirect_uri?: string;
  /** The three addresses of a provider without OpenID Connect. */
  authorize_url?: string;
  access_url?: string;
  profile_url?: string;
  /** These are always on; `false` is refused. */
  nonce?: true;
  state?: true;
  pkce?: true;
  /** The version of OAuth, which FeathersJS asks for with providers of one's own: there is no other. */
  oauth?: 2;
  /** How the client says who it is. Default: as the preset or the provider's metadata say. */
  tokenEndpointAuthMethod?: ClientAuthMethod;
  /** Lets native and single-page clients log in with ID tokens that were made for these client ids. Default: not. */
  idToken?: { readonly audiences: readonly string[] };
  /** Links a new identity to the entity with its e-mail address, when both sides have verified it. Default: that of `oauth`. */
  linkByEmail?: boolean;
  /** What signs the client secret of `apple`. */
  teamId?: string;
  keyId?: string;
  privateKey?: string;
}

/** The section `oauth` of an authentication configuration. Every other name with an object is a provider. */
export interface OAuthConfiguration {
  /** Address of this server as browsers see it, for example `https://api.example.com`. Needed in production. */
  origin?: string;
  /** Where browsers go after a login: an address, or a path of the first of `origins`. Default: the callback answers with JSON. */
  redirect?: string;
  /** Origins that browsers may be sent to. Default: that of `redirect`, and without one the setting `origins` of the application. */
  origins?: readonly string[];
  /** What a browser gets after a login: a one-time ticket, the cookies of `sessions`, or the token itself. Default: `ticket`. */
  response?: 'ticket' | 'cookie' | 'fragment';
  /** First part of the paths. Default: `oauth`. */
  prefix?: string;
  /** Key of the flow cookies: a text of 32 bytes or more. Default: made from `authentication.secret`. */
  secret?: string;
  /** Lets browsers be sent to any port of this machine, for development. Default: `false`. */
  allowLoopback?: boolean;
  /** `query` takes the token of whoever links an identity from the query `feathers_token`. Default: not at all. */
  linkToken?: 'query';
  /** Links a new identity to the entity with its e-mail address, when both sides have verified it. Default: `false`. */
  linkByEmail?: boolean;
  /** Property of entities that holds the e-mail address; `null` for none. Default: `email`. */
  emailField?: string | null;
  /** Property of entities that is `true` when they have verified it. Default: `emailVerified`. */
  emailVerifiedField?: string;
  /** Settings that all providers share. */
  defaults?: ProviderConfiguration;
  [provider: string]: unknown;
}

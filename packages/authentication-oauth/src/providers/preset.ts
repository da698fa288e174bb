/** What is known of a person from a provider. */
export type OAuthProfile = Readonly<Record<string, unknown>>;

/** What a provider's documentation says of it, as data. */
export interface ProviderPreset {
  /** Issuer of an OpenID provider; `[subdomain]` stands for the setting of this name. */
  readonly issuer?: string;
  /** What `[subdomain]` is where the setting says nothing. */
  readonly subdomain?: string;
  /** Addresses of a provider without OpenID Connect. */
  readonly endpoints?: ProviderEndpoints;
  readonly scope: readonly string[];
  /** Where the profile is in the answer of the profile address. Default: it is the answer. */
  readonly profileIn?: string;
  /** What is put behind the profile address for a list of addresses with `email`, `primary` and `verified`. */
  readonly emails?: string;
  /** Who it is: a text or a safe integer. Default: `sub`, else `id`. */
  readonly subject?: (profile: OAuthProfile) => unknown;
  /** Whether the provider has made sure that `email` is the person's own. */
  readonly emailVerified: (profile: OAuthProfile) => boolean;
  /** How the client says who it is at the token address. Default: as the provider's metadata say. */
  readonly authMethod?: ClientAuthMethod;
  /** Further parameters of the authorization address. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The answer comes as a form that another site posts, with the name of a person who logs in for the first time. */
  readonly formPost?: true;
  /** The provider leaves the nonce out of its ID tokens; state and PKCE bind the answer. */
  readonly withoutNonce?: true;
  /** The client secret is a token signed with a key of the client. */
  readonly signedSecret?: true;
}

/** Addresses of a provider without OpenID Connect. */
export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly profile: string;
}

/** How a client says who it is at the token address. */
export type ClientAuthMethod = 'client_secret_post' | 'client_secret_basic' | 'none';

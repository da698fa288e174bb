import type { OAuthProfile, ProviderPreset } from './preset.ts';

const OPENID = ['openid', 'profile', 'email'];
const byClaim = (profile: OAuthProfile): boolean => profile.email_verified === true;
/** Of providers of which nothing is known of their addresses. */
export const never = (): boolean => false;
const endsWith = (value: unknown, end: string): boolean => typeof value === 'string' && value.toLowerCase().endsWith(end);

/** Any OpenID provider. */
export const openid: ProviderPreset = { scope: OPENID, emailVerified: byClaim };

/** Any provider with the three addresses of OAuth 2: nothing is known of its e-mail addresses. */
export const plain: ProviderPreset = { scope: [], emailVerified: never };

/** Providers by name. */
export const providers: Readonly<Record<string, ProviderPreset>> = Object.freeze({
  openid,
  google: {
    issuer: 'https://accounts.google.com',
    scope: OPENID,
    // Google answers for its own addresses and those of organisations that it hosts.
    emailVerified: (profile) => byClaim(profile) && (typeof profile.hd === 'string' || endsWith(profile.email, '@gmail.com')),
  },
  microsoft: {
    issuer: 'https://login.microsoftonline.com/[subdomain]/v2.0',
    subdomain: 'common',
    scope: OPENID,
    // `sub` is another one for each application, and `email` whatever an administrator has typed.
    subject: ({ tid, oid }) => (typeof tid === 'string' && typeof oid === 'string' ? `${tid}.${oid}` : undefined),
    emailVerified: ({ xms_edov: verified }) => verified === true || verified === 1 || verified === '1' || verified === 'true',
  },
  apple: {
    issuer: 'https://appleid.apple.com',
    scope: ['openid', 'name', 'email'],
    emailVerified: ({ email_verified: verified }) => verified === true || verified === 'true',
    formPost: true,
    signedSecret: true,
    authMethod: 'client_secret_post',
  },
  github: {
    endpoints: {
      authorization: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      profile: 'https://api.github.com/user',
    },
    scope: ['read:user', 'user:email'],
    emails: '/emails',
    emailVerified: byClaim,
    authMethod: 'client_secret_post',
  },
  gitlab: { issuer: 'https://gitlab.com', scope: OPENID, emailVerified: byClaim },
  facebook: {
    endpoints: {
      authorization: 'https://www.facebook.com/v21.0/dialog/oauth',
      token: 'https://graph.facebook.com/v21.0/oauth/access_token',
      profile: 'https://graph.facebook.com/v21.0/me?fields=id,name,email,picture',
    },
    scope: ['public_profile', 'email'],
    emailVerified: never,
    authMethod: 'client_secret_post',
  },
  discord: {
    endpoints: {
      authorization: 'https://discord.com/oauth2/authorize',
      token: 'https://discord.com/api/oauth2/token',
      profile: 'https://discord.com/api/users/@me',
    },
    scope: ['identify', 'email'],
    emailVerified: ({ verified }) => verified === true,
    authMethod: 'client_secret_post',
  },
  slack: { issuer: 'https://slack.com', scope: OPENID, emailVerified: byClaim },
  linkedin: { issuer: 'https://www.linkedin.com/oauth', scope: OPENID, emailVerified: byClaim, withoutNonce: true },
  x: {
    endpoints: {
      authorization: 'https://x.com/i/oauth2/authorize',
      token: 'https://api.x.com/2/oauth2/token',
      profile: 'https://api.x.com/2/users/me?user.fields=id,name,username,profile_image_url',
    },
    scope: ['users.read', 'tweet.read'],
    profileIn: 'data',
    emailVerified: never,
    authMethod: 'client_secret_basic',
  },
  auth0: { issuer: 'https://[subdomain].auth0.com/', scope: OPENID, emailVerified: byClaim },
  okta: { issuer: 'https://[subdomain].okta.com', scope: OPENID, emailVerified: byClaim },
  keycloak: { ...openid },
} satisfies Record<string, ProviderPreset>);

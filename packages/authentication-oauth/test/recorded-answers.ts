/** What a provider answers, as its documentation shows it. */
export interface Recorded {
  /** Name of the preset, and settings that it needs. */
  readonly name: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Metadata and claims of the ID token of an OpenID provider. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Answers by address without its query. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly expected: {
    readonly subject: string;
    /** Host and path of the authorization. */
    readonly authorization: string;
    readonly scope: string;
    readonly verified: boolean;
    readonly email: string | undefined;
  };
}

const openId = (issuer: string, at: string, more: object = {}): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${at}/authorize`,
  token_endpoint: `${at}/token`,
  jwks_uri: `${at}/keys`,
  id_token_signing_alg_values_supported: ['RS256'],
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  ...more,
});
export const bearer = (more: object = {}): object => ({
  access_token: 'token-of-the-provider',
  token_type: 'Bearer',
  expires_in: 3599,
  ...more,
});

export const RECORDED: readonly Recorded[] = [
  {
    name: 'google',
    metadata: {
      ...openId('https://accounts.google.com', 'https://oauth2.googleapis.com'),
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    },
    claims: { sub: '10769150350006150715113082367', email: 'jsmith@gmail.com', email_verified: true },
    answers: {
      'https://openidconnect.googleapis.com/v1/userinfo': {
        sub: '10769150350006150715113082367',
        name: 'Jane Smith',
        given_name: 'Jane',
        picture: 'https://lh3.googleusercontent.com/a/photo',
        email: 'jsmith@gmail.com',
        email_verified: true,
      },
    },
    expected: {
      subject: '10769150350006150715113082367',
      authorization: 'accounts.google.com/o/oauth2/v2/auth',
      scope: 'openid profile email',
      verified: true,
      email: 'jsmith@gmail.com',
    },
  },
  {
    name: 'microsoft',
    metadata: {
      ...openId('https://login.microsoftonline.com/{tenantid}/v2.0', 'https://login.microsoftonline.com/common/oauth2/v2.0'),
      jwks_uri: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
    },
    claims: {
      iss: 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
      oid: '00000000-0000-0000-66f3-3332eca7ea81',
      preferred_username: 'AbeLi@microsoft.com',
      email: 'admin@victim.example.com',
    },
    answers: {},
    expected: {
      subject: '9122040d-6c67-4c5b-b112-36a304b66dad.00000000-0000-0000-66f3-3332eca7ea81',
      authorization: 'login.microsoftonline.com/common/oauth2/v2.0/authorize',
      scope: 'openid profile email',
      // An administrator of any tenant can write any address.
      verified: false,
      email: 'admin@victim.example.com',
    },
  },
  {
    name: 'apple',
    metadata: {
      ...openId('https://appleid.apple.com', 'https://appleid.apple.com/auth'),
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
    claims: {
      sub: '001999.0123456789abcdef.0123',
      email: 'x7k@privaterelay.appleid.com',
      email_verified: 'true',
      is_private_email: 'true',
    },
    answers: {},
    expected: {
      subject: '001999.0123456789abcdef.0123',
      authorization: 'appleid.apple.com/auth/authorize',
      scope: 'openid name email',
      verified: true,
      email: 'x7k@privaterelay.appleid.com',
    },
  },
  {
    name: 'github',
    answers: {
      'https://github.com/login/oauth/access_token': {
        access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
        scope: 'read:user,user:email',
        token_type: 'bearer',
      },
      'https://api.github.com/user': { login: 'octocat', id: 583231, name: 'monalisa octocat', email: 'public@github.com' },
      'https://api.github.com/user/emails': [
        { email: 'other@github.com', verified: true, primary: false, visibility: null },
        { email: 'octocat@github.com', verified: true, primary: true, visibility: 'public' },
      ],
    },
    expected: {
      subject: '583231',
      authorization: 'github.com/login/oauth/authorize',
      scope: 'read:user user:email',
      verified: true,
      email: 'octocat@github.com',
    },
  },
  {
    name: 'gitlab',
    metadata: {
      ...openId('https://gitlab.com', 'https://gitlab.com/oauth'),
      jwks_uri: 'https://gitlab.com/oauth/discovery/keys',
      userinfo_endpoint: 'https://gitlab.com/oauth/userinfo',
    },
    claims: { sub: '1234567' },
    answers: {
      'https://gitlab.com/oauth/userinfo': {
        sub: '1234567',
        nickname: 'jsmith',
        email: 'jsmith@example.com',
        email_verified: true,
        groups: [],
      },
    },
    expected: {
      subject: '1234567',
      authorization: 'gitlab.com/oauth/authorize',
      scope: 'openid profile email',
      verified: true,
      email: 'jsmith@example.com',
    },
  },
  {
    name: 'facebook',
    answers: {
      'https://graph.facebook.com/v21.0/oauth/access_token': { access_token: 'EAAB', token_type: 'bearer', expires_in: 5183944 },
      'https://graph.facebook.com/v21.0/me': { id: '10157840463', name: 'Jane Smith', email: 'jane@example.com' },
    },
    expected: {
      subject: '10157840463',
      authorization: 'www.facebook.com/v21.0/dialog/oauth',
      scope: 'public_profile email',
      verified: false,
      email: 'jane@example.com',
    },
  },
  {
    name: 'discord',
    answers: {
      'https://discord.com/api/oauth2/token': bearer({ refresh_token: 'D43f5y0ahjqew82jZ4NViEr2YafMKhue', scope: 'identify email' }),
      'https://discord.com/api/users/@me': {
        id: '80351110224678912',
        username: 'nelly',
        discriminator: '0',
        email: 'nelly@discord.com',
        verified: false,
      },
    },
    expected: {
      subject: '80351110224678912',
      authorization: 'discord.com/oauth2/authorize',
      scope: 'identify email',
      verified: false,
      email: 'nelly@discord.com',
    },
  },
  {
    name: 'slack',
    metadata: {
      ...openId('https://slack.com', 'https://slack.com/openid/connect'),
      token_endpoint: 'https://slack.com/api/openid.connect.token',
      userinfo_endpoint: 'https://slack.com/api/openid.connect.userInfo',
    },
    claims: { sub: 'U0R7JM', 'https://slack.com/team_id': 'T0R7GR', email: 'krane@slack-corp.com', email_verified: true },
    answers: {
      'https://slack.com/api/openid.connect.userInfo': {
        ok: true,
        sub: 'U0R7JM',
        email: 'krane@slack-corp.com',
        email_verified: true,
        name: 'krane',
      },
    },
    expected: {
      subject: 'U0R7JM',
      authorization: 'slack.com/openid/connect/authorize',
      scope: 'openid profile email',
      verified: true,
      email: 'krane@slack-corp.com',
    },
  },
  {
    name: 'linkedin',
    metadata: {
      ...openId('https://www.linkedin.com/oauth', 'https://www.linkedin.com/oauth/v2'),
      userinfo_endpoint: 'https://api.linkedin.com/v2/userinfo',
    },
    claims: { sub: '782bbtaQ', name: 'John Doe', nonce: undefined },
    answers: {
      'https://api.linkedin.com/v2/userinfo': { sub: '782bbtaQ', name: 'John Doe', email: 'doe@email.com', email_verified: true },
    },
    expected: {
      subject: '782bbtaQ',
      authorization: 'www.linkedin.com/oauth/v2/authorize',
      scope: 'openid profile email',
      verified: true,
      email: 'doe@email.com',
    },
  },
  {
    name: 'x',
    answers: {
      'https://api.x.com/2/oauth2/token': bearer({ token_type: 'bearer', scope: 'users.read tweet.read' }),
      'https://api.x.com/2/users/me': { data: { id: '2244994945', name: 'X Dev', username: 'TwitterDev' } },
    },
    expected: {
      subject: '2244994945',
      authorization: 'x.com/i/oauth2/authorize',
      scope: 'users.read tweet.read',
      verified: false,
      email: undefined,
    },
  },
  {
    name: 'auth0',
    settings: { subdomain: 'shop' },
    metadata: {
      ...openId('https://shop.auth0.com/', 'https://shop.auth0.com/oauth'),
      userinfo_endpoint: 'https://shop.auth0.com/userinfo',
    },
    claims: { sub: 'auth0|5f7c8ec7c33c6c004bbafe82', email: 'j@example.com', email_verified: false },
    answers: {
      'https://shop.auth0.com/userinfo': {
        sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
        nickname: 'j',
        email: 'j@example.com',
        email_verified: false,
      },
    },
    expected: {
      subject: 'auth0|5f7c8ec7c33c6c004bbafe82',
      authorization: 'shop.auth0.com/oauth/authorize',
      scope: 'openid profile email',
      verified: false,
      email: 'j@example.com',
    },
  },
  {
    name: 'okta',
    settings: { subdomain: 'dev-123' },
    metadata: {
      ...openId('https://dev-123.okta.com', 'https://dev-123.okta.com/oauth2/v1'),
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    },
    claims: { sub: '00uid4BxXw6I6TV4m0g3', name: 'John Doe', email: 'john.doe@example.com', email_verified: true, ver: 1 },
    answers: {},
    expected: {
      subject: '00uid4BxXw6I6TV4m0g3',
      authorization: 'dev-123.okta.com/oauth2/v1/authorize',
      scope: 'openid profile email',
      verified: true,
      email: 'john.doe@example.com',
    },
  },
  {
    name: 'keycloak',
    settings: { issuer: 'https://id.example.com/realms/shop' },
    metadata: openId('https://id.example.com/realms/shop', 'https://id.example.com/realms/shop/protocol/openid-connect', {
      authorization_response_iss_parameter_supported: true,
    }),
    claims: {
      sub: '9d5d-4b5c',
      preferred_username: 'ann',
      email: 'ann@example.com',
      email_verified: true,
      sid: 'e5e1',
      azp: 'shop',
      typ: 'ID',
    },
    answers: {},
    expected: {
      subject: '9d5d-4b5c',
      authorization: 'id.example.com/realms/shop/protocol/openid-connect/authorize',
      scope: 'openid profile email',
      verified: true,
      email: 'ann@example.com',
    },
  },
];

const text = (description: string, more: object = {}): object => ({ type: 'string', description, ...more });
const texts = (description: string): object => ({ type: 'array', items: { type: 'string' }, description });
const options = (description: string, properties: object, more: object = {}): object => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
  ...more,
});
const duration = (description: string, more: object = {}): object => ({ type: ['string', 'number'], description, ...more });
const textOrTexts = (description: string): object => ({
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description,
});

const rule = (description: string): object => ({
  oneOf: [
    { const: false },
    options(
      description,
      {
        attempts: { type: 'integer', minimum: 1 },
        window: duration('How long failures count'),
        delay: duration('First delay after that, which doubles; without it a lock until the window ends'),
      },
      { required: ['attempts', 'window'] },
    ),
  ],
});

/**
 * JSON schema of the `authentication` section of an application's settings (interface 2.1). Within alternatives defaults are only told of: a validator
 * that fills them in can not do so there, and refuses a schema that asks for it.
 */
export const authenticationSettingsSchema: {
  readonly type: 'object';
  readonly required: readonly ['secret', 'entity', 'authStrategies'];
  readonly properties: Readonly<Record<string, object>>;
} = Object.freeze({
  type: 'object',
  required: ['secret', 'entity', 'authStrategies'] as const,
  properties: Object.freeze({
    secret: { type: ['string', 'object'], description: 'The JWT signing secret' },
    keys: {
      type: 'array',
      description: 'Further keys that tokens are verified with',
      items: options('', { kid: text('Name of the key'), secret: {}, algorithm: text('Algorithm') }, { required: ['kid', 'secret'] }),
    },
    allowWeakSecret: { type: 'boolean', description: 'Accepts short secrets, for development' },
    entity: { oneOf: [{ type: 'null' }, { type: 'string' }], description: 'The name of the authentication entity' },
    entityId: text('The name of the id property of the entity'),
    service: text('The path of the entity service'),
    disabledField: { type: ['string', 'null'], description: 'Property that is true for entities that may not log in', default: 'disabled' },
    authStrategies: texts('Strategies that may create tokens'),
    parseStrategies: texts('Strategies that read requests'),
    origins: texts('Origins of pages that may use cookies and forms'),
    revocation: {
      description: 'Where tokens that were logged out are remembered',
      default: 'memory',
      oneOf: [{ enum: ['memory', 'store'] }, options('', { service: text('Path of a store') }, { required: ['service'] })],
    },
    sessions: {
      description: 'Logins that can be ended',
      default: false,
      oneOf: [
        { type: 'boolean' },
        options('', {
          service: text('Path of the service that stores sessions. Default: `sessions`'),
          maxAge: duration('Longest life of a session. Default: `30d`'),
          idle: duration('Life of a session that is not refreshed. Default: `14d`'),
          refresh: { enum: ['json', 'cookie', false], description: 'How refresh tokens travel' },
          cookie: { type: 'boolean', description: 'Cookies for the refresh token and for the access token. Default: false' },
          cookieName: text('Word in the names of the cookies, for one of several authentication services of a host'),
          sameSite: { enum: ['Strict', 'Lax'], description: 'Of the cookies. Default: `Strict`, and `Lax` for the access token' },
          origins: texts('Origins of pages that may use cookies'),
          refreshGrace: duration('Time in which the refresh token just replaced gives the same pair again. Default: 0'),
          cacheSize: { type: 'integer', minimum: 1, description: 'Sessions that each process remembers. Default: 10,000' },
        }),
      ],
    },
    limiter: {
      description: 'Bounds of logins that fail',
      oneOf: [{ const: false }, options('', { account: rule('Per account'), address: rule('Per address'), store: { type: 'object' } })],
    },
    jwtOptions: options('Token options', {
      header: { type: 'object', properties: { typ: { type: 'string' } } },
      audience: textOrTexts('Whom tokens are for'),
      issuer: textOrTexts('Who makes tokens'),
      algorithm: textOrTexts('Signing algorithm'),
      algorithms: texts('Algorithms that are accepted'),
      expiresIn: duration('Life of a token', { default: '1d' }),
      notBefore: duration('Time until a token counts'),
      keyid: text('Name of the signing key'),
      clockTolerance: { type: 'number', minimum: 0, maximum: 60 },
      maxAge: duration('Oldest token that is accepted'),
    }),
    jwt: options('The strategy `jwt`', {
      header: text('', { default: 'Authorization' }),
      schemes: { type: 'array', items: { type: 'string' } },
      service: text(''),
      entity: text(''),
      entityId: text(''),
    }),
    'api-key': options('The strategy `api-key`', { header: text('', { default: 'X-API-Key' }), prefix: text('', { default: 'key' }) }),
    oauth: {
      type: 'object',
      description: 'Login with other providers; every name besides these is a provider with its settings',
      properties: {
        origin: text('Address of this server as browsers see it'),
        redirect: text('Where browsers go after a login'),
        origins: texts('Origins that browsers may be sent to'),
        response: { enum: ['ticket', 'cookie', 'fragment'], default: 'ticket' },
        prefix: text('First part of the paths', { default: 'oauth' }),
        secret: text('Key of the cookies of flows'),
        allowLoopback: { type: 'boolean', default: false },
        linkToken: { const: 'query' },
        linkByEmail: { type: 'boolean', default: false },
        emailField: { type: ['string', 'null'], default: 'email' },
        emailVerifiedField: text('', { default: 'emailVerified' }),
        defaults: { type: 'object' },
      },
    },
    local: {
      type: 'object',
      required: ['usernameField', 'passwordField'],
      properties: {
        usernameField: { type: 'string' },
        passwordField: { type: 'string' },
        entityUsernameField: { type: 'string' },
        entityPasswordField: { type: 'string' },
        errorMessage: { type: 'string', default: 'Invalid login' },
        hashCost: options('Cost of argon2id', {
          memoryCost: { type: 'integer' },
          timeCost: { type: 'integer' },
          parallelism: { type: 'integer' },
        }),
        formerHashes: texts('Kinds of hashes that users of before have, for example `$2b$10`'),
      },
    },
  }),
});

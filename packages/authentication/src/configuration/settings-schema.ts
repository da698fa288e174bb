/** JSON schema of the `authentication` section of an application's settings (interface 2.1). */
export const authenticationSettingsSchema: {
  readonly type: 'object';
  readonly required: readonly ['secret', 'entity', 'authStrategies'];
  readonly properties: Readonly<Record<string, object>>;
} = Object.freeze({
  type: 'object',
  required: ['secret', 'entity', 'authStrategies'] as const,
  properties: Object.freeze({
    secret: { type: 'string', description: 'The JWT signing secret' },
    entity: { oneOf: [{ type: 'null' }, { type: 'string' }], description: 'The name of the authentication entity' },
    entityId: { type: 'string', description: 'The name of the id property of the entity' },
    service: { type: 'string', description: 'The path of the entity service' },
    authStrategies: { type: 'array', items: { type: 'string' }, description: 'Strategies that may create tokens' },
    parseStrategies: { type: 'array', items: { type: 'string' }, description: 'Strategies that read requests' },
    allowWeakSecret: { type: 'boolean', description: 'Accepts short secrets, for development' },
    jwtOptions: { type: 'object', description: 'Token options' },
    jwt: {
      type: 'object',
      properties: { header: { type: 'string', default: 'Authorization' }, schemes: { type: 'array', items: { type: 'string' } } },
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
      },
    },
  }),
});

import type { AuthenticationConfiguration } from './configuration-types.ts';

/**
 * Defaults of the configuration (decisions: JWT defaults). Set `audience` and `issuer` to your own.
 *
 * @see interface 2.1
 */
export const defaultConfiguration: AuthenticationConfiguration = Object.freeze({
  authStrategies: Object.freeze([]),
  jwtOptions: Object.freeze({
    header: Object.freeze({ typ: 'access' }),
    audience: 'https://yourdomain.com',
    issuer: 'framework',
    algorithm: 'HS256',
    expiresIn: '1d',
  }),
});

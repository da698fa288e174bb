import type { AuthenticationApplication } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from './configuration-types.ts';

/** Fewest bytes of a symmetric secret (RFC 7518 3.2). */
export const SECRET_BYTES = 32;
/** Fewest different characters of a symmetric secret. */
const SECRET_VARIETY = 8;

/**
 * Checks the configuration when the application is set up (interface 5.4).
 *
 * @param configuration the configuration
 * @param app the application, for the entity service
 * @param configKey name of the setting, for the messages
 * @throws Error that names what to mend
 */
export function checkConfiguration(configuration: AuthenticationConfiguration, app: AuthenticationApplication, configKey: string): void {
  checkSecret(configuration, configKey);
  if (configuration.entity === null) return;
  if (configuration.service === undefined)
    throw new Error(
      `The 'service' option is not set in the authentication configuration. Set '${configKey}.service' to the path of the users, or '${configKey}.entity' to null`,
    );
  const entityService = app.service(configuration.service) as { readonly id?: unknown };
  if (configuration.entityId === undefined && entityService.id === undefined) {
    throw new Error(`The '${configuration.service}' service does not have an 'id' property and no 'entityId' option is set.`);
  }
}

function checkSecret({ secret, jwtOptions, allowWeakSecret }: AuthenticationConfiguration, configKey: string): void {
  if (secret === undefined || secret === null || secret === '')
    throw new Error("A 'secret' must be provided in your authentication configuration");
  const symmetric = String(jwtOptions?.algorithm ?? 'HS256').startsWith('HS');
  if (!symmetric || allowWeakSecret === true || !(typeof secret === 'string' || secret instanceof Uint8Array)) return;
  const bytes = Buffer.byteLength(secret);
  if (bytes < SECRET_BYTES) {
    throw new Error(
      `'${configKey}.secret' has ${String(bytes)} bytes; at least ${String(SECRET_BYTES)} are needed. Make one with: node -e "console.log(require('crypto').randomBytes(48).toString('base64'))". For development set '${configKey}.allowWeakSecret' to true`,
    );
  }
  if (new Set(Buffer.from(secret)).size < SECRET_VARIETY || KNOWN.test(String(secret))) {
    throw new Error(`'${configKey}.secret' is easy to guess. Use a random one. For development set '${configKey}.allowWeakSecret' to true`);
  }
}

const KNOWN = /^(.{1,8})\1+$|supersecret|changeme|your[-_ ]?(256[-_ ]?bit[-_ ]?)?secret|<signing_secret>/i;

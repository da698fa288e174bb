import { checkSpelling } from '@framework/core';
import type { AuthenticationApplication } from '../authentication-types.ts';
import { checkLimiter } from '../limiter/limiter-options.ts';
import { revocationSettings } from '../sessions/revocation-settings.ts';
import { sessionSettings } from '../sessions/session-settings.ts';
import { keyName } from '../tokens/candidate-keys.ts';
import { checkCommonTokenOptions } from '../tokens/check-token-options.ts';
import { ALGORITHMS } from '../tokens/create-token.ts';
import { checkForms } from './check-forms.ts';
import { checkKey, HOW_TO_MAKE_ONE } from './check-key.ts';
import { OPTION_NAMES, type AuthenticationConfiguration, type VerificationKey } from './configuration-types.ts';

/**
 * Checks the configuration when the application is set up (interface 5.4).
 *
 * @param configuration the configuration
 * @param app the application, for the entity service
 * @param configKey name of the setting, for the messages
 * @param strategyNames names of the strategies, under which they keep their options
 * @throws Error that names what to mend
 */
export function checkConfiguration(
  configuration: AuthenticationConfiguration,
  app: AuthenticationApplication,
  configKey: string,
  strategyNames: readonly string[],
): void {
  // Strategies keep their options under their names, also those that are registered later: what is near to none is left to them.
  checkSpelling(`'${configKey}'`, configuration, OPTION_NAMES, strategyNames);
  checkForms(configuration, configKey);
  checkCommonTokenOptions(configuration.jwtOptions ?? {}, `${configKey}.jwtOptions`);
  checkKeys(configuration, configKey);
  sessionSettings(configuration.sessions);
  revocationSettings(configuration.revocation);
  checkLimiter(configuration.limiter, `${configKey}.limiter`);
  if (configuration.entity === null) return;
  if (configuration.service === undefined)
    throw new Error(
      `The 'service' option is not set in the authentication configuration. Set '${configKey}.service' to the path of the users, or '${configKey}.entity' to null`,
    );
  const entityService = serviceOfUsers(app, configuration.service, configKey);
  if (configuration.entityId === undefined && entityService.id === undefined) {
    throw new Error(`The '${configuration.service}' service does not have an 'id' property and no 'entityId' option is set.`);
  }
}

function serviceOfUsers(app: AuthenticationApplication, path: string, configKey: string): { readonly id?: unknown } {
  try {
    return app.service(path) as { readonly id?: unknown };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(
      `'${configKey}.service' names the service of the users, and there is none of that name when the application is set up: ${text}`,
      {
        cause: error,
      },
    );
  }
}

function checkKeys({ secret, keys = [], jwtOptions = {}, allowWeakSecret }: AuthenticationConfiguration, configKey: string): void {
  if (secret === undefined || secret === null || secret === '')
    throw new Error(
      `A 'secret' must be provided in your authentication configuration: set '${configKey}.secret' to a random text that is kept out of the sources. ${HOW_TO_MAKE_ONE}`,
    );
  checkNames(keys, keyName(jwtOptions), configKey);
  if (allowWeakSecret === true) return;
  const [algorithm = 'HS256'] = [jwtOptions.algorithm ?? 'HS256'].flat();
  checkKey(secret, algorithm, `${configKey}.secret`, configKey);
  for (const [index, key] of keys.entries())
    checkKey(key.secret, key.algorithm ?? algorithm, `${configKey}.keys[${String(index)}].secret`, configKey);
}

/** With other names, or for other algorithms, no token would be verified with a key. */
function checkNames(keys: readonly VerificationKey[], present: string | undefined, configKey: string): void {
  const names = new Set<unknown>();
  for (const [index, key] of keys.entries()) {
    const setting = `${configKey}.keys[${String(index)}]`;
    if (typeof key.kid !== 'string' || key.kid === '') throw new Error(`'${setting}.kid' must be a text: tokens name their key by it`);
    if (names.has(key.kid)) throw new Error(`'${setting}.kid' is the name of another key too`);
    if (key.kid === present)
      throw new Error(`'${setting}.kid' is the name of the present key too: give that another '${configKey}.jwtOptions.keyid'`);
    if (key.algorithm !== undefined && !ALGORITHMS.has(key.algorithm))
      throw new Error(`'${setting}.algorithm' must be one of ${[...ALGORITHMS].join(', ')}`);
    names.add(key.kid);
  }
}

import { isRecord } from '../values.ts';
import type { AuthenticationConfiguration } from './configuration-types.ts';

/**
 * Checks options that callers without types may give in another form: a text in place of a list of origins would let in whoever has a part of it.
 *
 * @param configKey name of the setting, for the messages
 * @throws Error that names what to mend
 */
export function checkForms(configuration: AuthenticationConfiguration, configKey: string): void {
  const { origins, sessions, authStrategies, parseStrategies, disabledField, keys, jwtOptions } = configuration;
  if (jwtOptions !== undefined && !(isRecord(jwtOptions) && !Array.isArray(jwtOptions)))
    throw new Error(`'${configKey}.jwtOptions' must be an object of token options, such as { expiresIn: '1h' }`);
  checkEntity(configuration, configKey);
  checkOrigins(origins, `${configKey}.origins`);
  if (isRecord(sessions)) checkOrigins(sessions.origins, `${configKey}.sessions.origins`);
  checkTexts(authStrategies, `${configKey}.authStrategies`, 'names of strategies');
  checkTexts(parseStrategies, `${configKey}.parseStrategies`, 'names of strategies');
  if (keys !== undefined && !(Array.isArray(keys) && keys.every(isRecord))) throw new Error(`'${configKey}.keys' must be a list of keys`);
  if (disabledField !== undefined && disabledField !== null && !isText(disabledField))
    throw new Error(`'${configKey}.disabledField' must be the name of a property, or null for none`);
}

/** What parameters of calls, and answers of logins, have besides the entity. */
const TAKEN: ReadonlySet<string> = new Set([
  'accessToken',
  'authenticated',
  'authentication',
  'connection',
  'headers',
  'provider',
  'query',
  'refreshToken',
  'route',
  'signal',
  '__proto__',
]);

interface EntityOptions {
  readonly entity?: unknown;
  readonly entityId?: unknown;
  readonly service?: unknown;
}

/**
 * Checks what users are called, and where they are.
 *
 * @param setting where that stands, for the messages
 * @throws Error that names what to mend
 */
export function checkEntity({ entity, entityId, service }: EntityOptions, setting: string): void {
  if (entity !== undefined && entity !== null && !isText(entity))
    throw new Error(`'${setting}.entity' must be the name that users have in the parameters of calls, such as 'user', or null for none`);
  if (typeof entity === 'string' && TAKEN.has(entity))
    throw new Error(
      `'${setting}.entity' can not be '${entity}': the parameters of calls have something else there. Take another name, such as 'user'`,
    );
  if (entityId !== undefined && entityId !== null && !isText(entityId))
    throw new Error(`'${setting}.entityId' must be the name of the id property of the users`);
  if (service !== undefined && service !== null && !isText(service)) throw new Error(`'${setting}.service' must be the path of the users`);
}

/** What a browser says of where a page is from: `https://app.example.com`, or `capacitor://localhost` of an application. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+$/;

function checkOrigins(option: unknown, setting: string): void {
  for (const origin of checkTexts(option, setting, 'origins')) {
    const isWeb = /^https?:/i.test(origin);
    const isOrigin = isWeb ? URL.canParse(origin) && new URL(origin).origin === origin : ORIGIN.test(origin);
    if (!isOrigin)
      throw new Error(`'${setting}' must be origins such as https://app.example.com, without a path; '${origin.slice(0, 100)}' is none`);
  }
}

function checkTexts(option: unknown, setting: string, what: string): readonly string[] {
  if (option === undefined || option === null) return [];
  if (!Array.isArray(option) || !option.every(isText)) throw new Error(`'${setting}' must be a list of ${what}`);
  return option;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

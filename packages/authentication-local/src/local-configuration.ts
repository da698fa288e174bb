import type { AuthenticationConfiguration } from '@framework/authentication';
import { givenOptions } from '@framework/core';
import { DEFAULT_COST, type HashCost } from './password/password-hash.ts';

/** Options of the strategy, in the configuration under its name. */
export interface LocalStrategyConfiguration {
  /** Property of the login data that holds the username; dotted paths are allowed. */
  usernameField: string;
  /** Property of the login data that holds the password. */
  passwordField: string;
  /** Property of the entity that holds the username. Default: `usernameField`. */
  entityUsernameField?: string;
  /** Property of the entity that holds the hash. Default: `passwordField`. */
  entityPasswordField?: string;
  /** Text of the error of a login that fails. Default: `Invalid login`. */
  errorMessage?: string;
  /** Cost of the hash. Default: 19 MiB, two passes. */
  hashCost?: Partial<HashCost>;
  /**
   * Kinds of hashes that users of before have, by their beginning, for example `['$2b$10']`: each login then takes the work of
   * all kinds, from the first one on. Default: the kinds that logins have met.
   */
  formerHashes?: readonly string[];
  /** Path of the service of the entities, which has the same ones as that of the authentication. Default: that. */
  service?: string;
  /** Name of the entity in results and parameters; `null` for none. Default: that of the authentication. */
  entity?: string | null;
  /** Name of the id property of the entity. Default: that of the authentication. */
  entityId?: string;
}

/** Names of the options. */
export const OPTION_NAMES: ReadonlySet<string> = new Set<keyof LocalStrategyConfiguration>([
  'usernameField',
  'passwordField',
  'entityUsernameField',
  'entityPasswordField',
  'errorMessage',
  'hashCost',
  'formerHashes',
  'service',
  'entity',
  'entityId',
]);

/** The options with their defaults, and where the entities are. */
export type LocalOptions = Record<string, unknown> &
  Required<Omit<LocalStrategyConfiguration, 'service' | 'entity' | 'entityId'>> & {
    service: string | undefined;
    entity: string | null | undefined;
    entityId: string | undefined;
  };

/** @returns the options of a strategy with their defaults, and those of the service */
export function localOptions(
  own: Partial<LocalStrategyConfiguration>,
  { service, entity, entityId }: AuthenticationConfiguration,
): LocalOptions {
  const { usernameField = '', passwordField = '', hashCost, ...others } = givenOptions(own);
  return {
    service,
    entity,
    entityId,
    entityUsernameField: usernameField,
    entityPasswordField: passwordField,
    errorMessage: 'Invalid login',
    formerHashes: [],
    ...others,
    usernameField,
    passwordField,
    hashCost: { ...DEFAULT_COST, ...hashCost },
  };
}

/**
 * Refuses options with which no login could be made, and passwords would be kept somewhere else.
 *
 * @param own options of the strategy; callers without types may give anything
 * @param setting where they stand, for example `authentication.local`
 * @throws Error that names what to mend
 */
export function checkLocalOptions(own: Readonly<Record<string, unknown>>, setting: string): void {
  for (const name of ['usernameField', 'passwordField', 'entityUsernameField', 'entityPasswordField']) {
    if (own[name] !== undefined && !isText(own[name]))
      throw new Error(`'${setting}.${name}' must be the name of a property, or a path of names with dots between them`);
  }
  if (own.errorMessage !== undefined && typeof own.errorMessage !== 'string') throw new Error(`'${setting}.errorMessage' must be a text`);
  const { formerHashes } = own;
  if (formerHashes !== undefined && !(Array.isArray(formerHashes) && formerHashes.every(isText)))
    throw new Error(`'${setting}.formerHashes' must be a list of beginnings of hashes, such as ['$2b$10']`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

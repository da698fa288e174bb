import type { AuthenticationConfiguration } from '@framework/authentication';
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
]);

/** The options with their defaults, and where the entities are. */
export type LocalOptions = Record<string, unknown> &
  Required<LocalStrategyConfiguration> & { entity: string | null | undefined; entityId: string | undefined };

/** @returns the options of a strategy with their defaults, and those of the service */
export function localOptions(
  own: Partial<LocalStrategyConfiguration>,
  { service, entity, entityId }: AuthenticationConfiguration,
): LocalOptions {
  const { usernameField = '', passwordField = '' } = own;
  return {
    service,
    entityUsernameField: usernameField,
    entityPasswordField: passwordField,
    errorMessage: 'Invalid login',
    formerHashes: [],
    ...own,
    usernameField,
    passwordField,
    entity,
    entityId,
    hashCost: { ...DEFAULT_COST, ...own.hashCost },
  };
}

import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';

/**
 * What a session belongs to: tokens of one authentication service mean nothing to another one, whatever store, secret and ids
 * the two share.
 */
export interface SessionScope {
  /** Name of the setting of the authentication service. */
  readonly service: string;
  /** Whom its tokens are for. */
  readonly audience: string;
  /** Path of the service of the entities; empty where there are none. */
  readonly entity: string;
}

/**
 * @param configKey name of the setting
 * @param configuration its value
 * @returns what the sessions of an authentication service belong to
 */
export function sessionScope(configKey: string, { jwtOptions, entity, service }: AuthenticationConfiguration): SessionScope {
  return {
    service: configKey,
    audience: [...[jwtOptions?.audience ?? []].flat()].sort().join(' '),
    entity: entity === null ? '' : (service ?? ''),
  };
}

/** @returns whether a record belongs to an authentication service */
export function isOfScope(record: SessionScope, scope: SessionScope): boolean {
  return record.service === scope.service && record.audience === scope.audience && record.entity === scope.entity;
}

import { getRules } from '@framework/core';
import type { AuthenticationStrategy } from '../authentication-types.ts';
import { entityPlace, type EntityHost } from './entity-rules.ts';

/**
 * Adds what a strategy keeps secret to the rules of its entities.
 *
 * @throws Error for a strategy that comes after the application was set up, and keeps something secret that the entities show
 */
export function protectEntities(host: Pick<EntityHost, 'app' | 'configuration'>, strategy: AuthenticationStrategy | undefined): void {
  const { protectedFields = [] } = strategy ?? {};
  const path = entityPlace(host, strategy)?.path;
  if (path !== undefined && protectedFields.length > 0) getRules(host.app.service(path))?.add({ writeOnly: protectedFields });
}

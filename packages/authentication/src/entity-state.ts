import { NotAuthenticated } from '@framework/errors';

/**
 * Refuses an entity that is disabled.
 *
 * @param entity a record as its service keeps it
 * @param field name of the property that is true for disabled entities; `null` for none
 * @throws NotAuthenticated (401)
 */
export function refuseDisabled(entity: unknown, field: string | null): void {
  if (isDisabled(entity, field)) throw new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
}

/** @returns whether an entity is disabled */
export function isDisabled(entity: unknown, field: string | null): boolean {
  return field !== null && typeof entity === 'object' && entity !== null && Boolean((entity as Record<string, unknown>)[field]);
}

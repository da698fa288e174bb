import { partsOf } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { valueAt } from './field-paths.ts';
import { property } from '../values.ts';

/** @returns the property of an entity that is true when it may not log in, as a dotted path; `null` for none */
export function disabledField({ disabledField: field }: AuthenticationConfiguration): string | null {
  return field === undefined ? 'disabled' : field;
}

/**
 * Refuses an entity that is disabled.
 *
 * @param entity a record as its service keeps it
 * @param field property that is true for disabled entities; `null` for none
 * @throws NotAuthenticated (401)
 */
export function refuseDisabled(entity: unknown, field: string | null): void {
  if (isDisabled(entity, field)) throw new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
}

/**
 * @param field a dotted path; through a list one element is enough
 * @returns whether an entity is disabled
 */
export function isDisabled(entity: unknown, field: string | null): boolean {
  if (field === null) return false;
  return field.includes('.') ? holds(entity, partsOf(field)) : Boolean(property(entity, field));
}

/** Properties of a class count too, as entities of other libraries have them. */
function holds(value: unknown, parts: readonly string[]): boolean {
  const [name, ...rest] = parts;
  if (name === undefined) return Boolean(value);
  if (Array.isArray(value) && !/^\d+$/.test(name)) return value.some((element) => holds(element, parts));
  return holds(property(value, name), rest);
}

/** @returns the value of a secret property, as a text that is the same for the same secret */
export function secretAt(entity: unknown, field: string): string {
  return JSON.stringify(valueAt(entity, field) ?? null);
}

/** @returns the values of an entity's secret properties, as one text that is the same for the same secrets */
export function secretsOf(entity: unknown, fields: readonly string[]): string {
  const [field] = fields;
  // The one that nearly every service has: this runs for each authenticated request.
  return fields.length === 1 && field !== undefined ? secretAt(entity, field) : fields.map((one) => secretAt(entity, one)).join();
}

/** @returns the name of the id property of the entities */
export function entityIdName(
  { entityId }: AuthenticationConfiguration,
  entityService: { readonly id?: string } | null | undefined,
): string {
  return entityId ?? entityService?.id ?? 'id';
}

import type { AuthenticationConfiguration } from './configuration-types.ts';

/** @returns the property of an entity that is true when it may not log in; `null` for none */
export function disabledField({ disabledField: field }: AuthenticationConfiguration): string | null {
  return field === undefined ? 'disabled' : field;
}

import { createHmac } from 'node:crypto';
import { secretAt } from './entity-state.ts';

/** The secrets of an entity as they are stored now. */
export interface EntitySecrets {
  /** The entity as its service keeps it. */
  readonly entity: unknown;
  /** Paths of its secret properties. */
  readonly fields: readonly string[];
}

/** What a session knows of one secret property of its user: not the secret, but marks that show whether it is still the same. */
export interface SecretMark {
  /** The property; a dotted path. */
  readonly field: string;
  /** Of the value when the session began, and of values that say the same, such as a renewed hash of the same password. */
  readonly marks: readonly string[];
}

/**
 * Marks the secrets of an entity.
 *
 * @param key the session's key: marks of two sessions say nothing about each other
 */
export function secretMarks({ entity, fields }: EntitySecrets, key: string): SecretMark[] {
  return fields.map((field) => ({ field, marks: [markOf(entity, field, key)] }));
}

/**
 * Tells whether an entity still has the secrets that were marked. A property that was not secret then, or is not secret now, is
 * not looked at: a strategy that comes or goes ends no sessions.
 */
export function hasMarkedSecrets({ entity, fields }: EntitySecrets, key: string, marked: readonly SecretMark[]): boolean {
  return marked.every(({ field, marks }) => !fields.includes(field) || marks.includes(markOf(entity, field, key)));
}

/** @returns the marks, and those of the same secrets in another form */
export function withRenewed(marked: readonly SecretMark[], entity: unknown, key: string): SecretMark[] {
  return marked.map(({ field, marks }) => ({ field, marks: [...new Set([...marks, markOf(entity, field, key)])] }));
}

function markOf(entity: unknown, field: string, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([field, secretAt(entity, field)]))
    .digest('base64url')
    .slice(0, 22);
}

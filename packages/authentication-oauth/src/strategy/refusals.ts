import { Conflict, NotAuthenticated } from '@framework/errors';
import { isRecord, property } from '../values.ts';

/** @returns whether a value can be called */
export function isCallable(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}

/**
 * @returns a copy of a record that a service gave
 * @throws NotAuthenticated (401) for anything else
 */
export function recordOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value) || Array.isArray(value)) throw new NotAuthenticated('Could not get the entity', { error: 'failed' });
  return { ...value };
}

/**
 * @returns a copy of the one entity that was found; `null` for none
 * @throws NotAuthenticated (401) for two: nobody knows whose the identity is
 */
export function onlyOne([first, second]: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> | null {
  if (second) throw new NotAuthenticated('More than one entity has this identity', { error: 'failed' });
  return first ? { ...first } : null;
}

/** @returns whether something clashes with what is there already */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 409);
}

/** @returns whether something was thrown with a status */
export function hasCode(error: unknown, code: number): boolean {
  return property(error, 'code') === code;
}

/** The identity belongs to somebody else. */
export function alreadyLinked(): Conflict {
  return new Conflict('This identity belongs to another account', { error: 'already-linked' });
}

/** An account has the address of the identity, and may not be taken by it. */
export function accountExists(): Conflict {
  return new Conflict('There is an account with this address. Log in to it and link the identity there', { error: 'account-exists' });
}

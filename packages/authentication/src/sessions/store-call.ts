import { unavailable } from '@framework/errors';

/** @returns the status of an error */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/**
 * What a call to the store gives, or nothing where there is no such record.
 *
 * @throws Unavailable (503) when the store fails: sessions are then neither begun nor taken for alive (security S46)
 */
export async function orNothing<T>(call: Promise<T>): Promise<(T & Record<string, unknown>) | undefined> {
  try {
    return (await call) as T & Record<string, unknown>;
  } catch (error) {
    if (codeOf(error) === 404) return undefined;
    throw unavailable('Sessions can not be checked at present', error);
  }
}

/**
 * Creates a record.
 *
 * @returns whether it is new; `false` when somebody else made it first
 * @throws Unavailable (503) when the store fails
 */
export async function isNew(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (codeOf(error) === 409) return false;
    throw unavailable('Sessions can not be checked at present', error);
  }
}

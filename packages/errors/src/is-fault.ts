import type { FrameworkError } from './framework-error.ts';

/**
 * Tells whether an error is for the log of the server: one of 500 and above, and one below that holds such a one by property, as that of resolvers does.
 *
 * @param error the error that a caller gets
 */
export function isFault({ code, errors }: FrameworkError): boolean {
  if (code >= 500) return true;
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return false;
  return Object.values(errors).some(
    (problem) => typeof problem === 'object' && problem !== null && Number(Reflect.get(problem, 'code')) >= 500,
  );
}

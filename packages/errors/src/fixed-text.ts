/** What callers are told of failures that nobody described for them (security S40). */
export const UNEXPECTED = 'An unexpected error occurred on the server';

/**
 * The text of an error whose author wrote none.
 *
 * @param code HTTP status
 * @param className kebab-case name of the error
 * @returns for example `Not found`; from 500 on the same text for all
 */
export function fixedText(code: number, className: string): string {
  return code >= 500 ? UNEXPECTED : `${className.charAt(0).toUpperCase()}${className.slice(1).replaceAll('-', ' ')}`;
}

import { findErrorClass } from './errors.ts';

/**
 * Turns the JSON form of an error back into an error of its class, for example in a client.
 *
 * @param error a parsed error body, an error, a text, or nothing
 * @returns an instance of the class that `error.name` names, with all further properties of the input; a plain `Error`
 *   when the name is not in the catalogue; falsy input as it came
 * @see reference 2
 */
export function convert<T>(error: T): T extends null | undefined ? T : Error {
  type Converted = T extends null | undefined ? T : Error;
  if (!error) return error as unknown as Converted;
  if (typeof error !== 'object') return new Error(String(error)) as Converted;

  const source = error as { name?: unknown; message?: unknown; data?: unknown };
  const ErrorClass = typeof source.name === 'string' ? findErrorClass(source.name) : undefined;
  const message = typeof source.message === 'string' ? source.message : undefined;
  const result = ErrorClass ? new ErrorClass(message, source.data as object | undefined) : new Error(message ?? 'Error');
  for (const [key, value] of Object.entries(error)) {
    if (key === '__proto__') continue;
    Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return result as Converted;
}

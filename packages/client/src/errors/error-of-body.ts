import { FrameworkClientError } from './client-error.ts';
import { fieldsOf, textOf } from '../fields.ts';
import type { ResponseFacts } from './response-facts.ts';

/**
 * The error that the body of an answer, or of a socket, tells of. Of it only names, text, `data` and `errors` are taken, whatever else it holds.
 *
 * @param body what was received, parsed; anything
 * @param response of a call over HTTP, whose status counts
 */
export function errorOfBody(body: unknown, response?: ResponseFacts): FrameworkClientError {
  const { name, message, code, className, data, errors } = fieldsOf(body);
  const status = response?.status ?? (typeof code === 'number' ? code : 500);
  return new FrameworkClientError('answer', textOf(message) ?? `The server answered ${status}`, {
    name: textOf(name),
    code: status,
    className: textOf(className),
    data,
    errors,
    response,
  });
}

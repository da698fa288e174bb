import { requestBody } from '../rest/request-body.ts';

/**
 * Data as JSON has it: dates are text there, and what is `undefined` is not there, as in a call over REST.
 *
 * @throws TypeError for files, forms and bytes, of which JSON has nothing
 */
export function dataAsJson(data: unknown): unknown {
  const { body } = requestBody(data);
  if (typeof body !== 'string') throw new TypeError(`${{}.toString.call(data)} can not be sent over a socket: it goes over rest() alone`);
  return JSON.parse(body);
}

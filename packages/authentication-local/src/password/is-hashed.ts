import { SAME_SECRET } from '@framework/authentication';

/** @returns whether a call stores a hash that was made already; only code on the server can say so */
export function isHashed(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Reflect.get(params, SAME_SECRET) === true;
}

import type { Params } from '@framework/core';
import { property } from '../values.ts';

const HEADER = 'x-request-id';
/** What is written to logs as it is (security S45). */
const SAFE = /^[\w.:=+/-]{1,128}$/;

/**
 * The id of the request that a call belongs to, for events: `params.requestId`, or the header `X-Request-Id`.
 *
 * @returns an object to spread into an event; empty where there is no id, or none that is fit for a log
 */
export function requestIdOf(params: Params): { requestId?: string } {
  const given = property(params, 'requestId') ?? params.headers?.[HEADER];
  return typeof given === 'string' && SAFE.test(given) ? { requestId: given } : {};
}

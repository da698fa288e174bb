import type { AuthenticationParams, AuthenticationRequest } from '../authentication-types.ts';
import { property } from '../values.ts';

/** Carries the network address with credentials that come with any call; clients can not write symbols. */
export const ADDRESS: unique symbol = Symbol('framework.address');

/** @returns credentials with the network address of the request that they were read from */
export function withAddress(credentials: AuthenticationRequest, address: string | undefined): AuthenticationRequest {
  return { ...credentials, [ADDRESS]: address };
}

/** @returns the network address of a caller: of the call, or of the request that the credentials were read from */
export function addressOf(params: AuthenticationParams, data: AuthenticationRequest): string | undefined {
  const carried = property(data, ADDRESS);
  return params.address ?? (typeof carried === 'string' ? carried : undefined);
}

import { createHash } from 'node:crypto';
import { addressKey } from '@framework/core';
import type { AuthenticationParams } from '../authentication-types.ts';

/** What is known of a caller. */
export interface SessionClient {
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
}

/** @returns what the parameters of a call say of the caller */
export function clientOf({ address, headers }: AuthenticationParams): SessionClient {
  const agent = headers?.['user-agent'];
  return { address, agent: typeof agent === 'string' ? agent : undefined };
}

/** @returns a digest by which the same client is known again: its network and its program */
export function clientDigest({ address, agent }: SessionClient): string {
  const network = address === undefined ? '' : addressKey(address);
  return createHash('sha256')
    .update(JSON.stringify([network, agent ?? '']))
    .digest('base64url')
    .slice(0, 22);
}

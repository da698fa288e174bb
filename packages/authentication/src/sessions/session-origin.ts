import { createHash } from 'node:crypto';
import type { LoginOrigin } from '../login/login-origin.ts';

/** What a record of the store says of the login at another system that it came from. Names of people there are kept as digests alone. */
export interface StoredOrigin {
  /** Name of the strategy; absent for a login of our own. */
  readonly via?: string;
  readonly viaSubject?: string;
  readonly viaSession?: string;
}

/** @returns what is stored of an origin */
export function storedOrigin(origin: LoginOrigin | undefined): StoredOrigin {
  if (origin === undefined) return {};
  const { strategy, subject, session } = origin;
  return {
    via: strategy,
    viaSubject: digestOfName(strategy, subject),
    ...(session === undefined ? {} : { viaSession: digestOfName(strategy, session) }),
  };
}

function digestOfName(strategy: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([strategy, name]))
    .digest('base64url');
}

import { channel } from 'node:diagnostics_channel';

/** Work on a hash, as the diagnostics channel `framework:password-hash` tells of it; never a password or a hash. */
export interface HashEvent {
  readonly operation: 'hash' | 'verify';
  /** Kind and cost, for example `$argon2id$v=19$m=19456,t=2,p=1` or `$2b$10`. */
  readonly work: string;
}

const hashing = channel('framework:password-hash');

/** Tells whoever subscribed of work that begins. */
export function tellHashing(event: HashEvent): void {
  if (hashing.hasSubscribers) hashing.publish(event);
}

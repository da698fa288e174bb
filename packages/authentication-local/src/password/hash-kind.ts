/** Kinds of hashes that are known. */
export type HashKind = 'argon2' | 'bcrypt';

/** Bytes of zeros, in the alphabets of the two formats. */
const ARGON_SALT = 'A'.repeat(22);
const ARGON_HASH = 'A'.repeat(43);
const BCRYPT_TAIL = `${'.'.repeat(22)}${'.'.repeat(31)}`;

/** @returns what kind of hash it is, or `undefined` for anything else */
export function hashKind(hash: unknown): HashKind | undefined {
  if (typeof hash !== 'string') return undefined;
  if (/^\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/.test(hash)) return 'argon2';
  return /^\$2[aby]\$\d\d\$.{53}$/.test(hash) ? 'bcrypt' : undefined;
}

/** @returns whether it is a hash of a kind that is known */
export function isHash(value: unknown): value is string {
  return hashKind(value) !== undefined;
}

/** @returns the part of a hash that decides how much work it is: kind, version and cost */
export function workOf(hash: string): string {
  return hash.startsWith('$2') ? `$2b$${hash.slice(4, 6)}` : hash.split('$').slice(0, 4).join('$');
}

/**
 * A hash that nothing matches, of the same work as others.
 *
 * @param work of {@link workOf}
 */
export function decoyOf(work: string): string {
  return work.startsWith('$2') ? `${work}$${BCRYPT_TAIL}` : `${work}$${ARGON_SALT}$${ARGON_HASH}`;
}

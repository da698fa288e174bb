import { digestOf, isSame, randomId, randomSecret } from '../sessions/refresh-token.ts';

/** An API key taken apart. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

/** A new key: its id, what the owner gets, and what is stored of it. */
export interface NewApiKey {
  readonly id: string;
  readonly key: string;
  readonly digest: string;
}

/** Text before keys, so that people and scanners know them again. */
export const DEFAULT_PREFIX = 'key';

/**
 * Makes a key of 256 random bits.
 *
 * @param prefix text before it
 */
export function newApiKey(prefix: string): NewApiKey {
  const [id, secret] = [randomId(), randomSecret()];
  return { id, key: `${prefix}_${id}_${secret}`, digest: digestOf(secret) };
}

/** @returns the parts, or `undefined` for anything that is no key of this prefix */
export function parseApiKey(text: unknown, prefix: string): ApiKey | undefined {
  const start = `${prefix}_`;
  if (typeof text !== 'string' || text.length > 200 || !text.startsWith(start)) return undefined;
  const [, id, secret] = /^([\w-]{22})_([\w-]{43})$/.exec(text.slice(start.length)) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** @returns whether a key is the one whose digest is stored */
export function isApiKey({ secret }: ApiKey, digest: string | null): boolean {
  return digest !== null && isSame(digest, digestOf(secret));
}

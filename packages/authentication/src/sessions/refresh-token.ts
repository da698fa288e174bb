import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A refresh token taken apart. */
export interface RefreshToken {
  /** Id of its session. */
  readonly session: string;
  /** Digest of its secret part; the only thing of it that is stored. */
  readonly digest: string;
  readonly secret: string;
  readonly tag: string;
}

/** @returns a random id of 128 bits */
export function randomId(): string {
  return randomBytes(16).toString('base64url');
}

/** @returns a random secret of 256 bits */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** @returns what is stored of a secret */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/**
 * The secret of the token that follows a token: the same whoever asks, so that an answer that was lost can be given again, and
 * known to nobody without the server's key.
 *
 * @param secret secret of the token that is replaced
 * @param key the session's key
 * @param serverKey key that the processes share
 */
export function successorOf(secret: string, key: string, serverKey: Buffer): string {
  return createHmac('sha256', serverKey).update(`${key}.${secret}`).digest('base64url');
}

/**
 * Writes a refresh token: the session, a random secret, and a tag by which the session knows its own tokens for ever.
 *
 * @param key the session's key
 */
export function formatRefreshToken(session: string, secret: string, key: string): string {
  return `${session}.${secret}.${tagOf(session, secret, key)}`;
}

/** @returns the parts, or `undefined` for anything that is no refresh token */
export function parseRefreshToken(token: unknown): RefreshToken | undefined {
  if (typeof token !== 'string' || token.length > 100) return undefined;
  const [, session, secret, tag] = /^([\w-]{22})\.([\w-]{43})\.([\w-]{22})$/.exec(token) ?? [];
  if (session === undefined || secret === undefined || tag === undefined) return undefined;
  return { session, secret, tag, digest: digestOf(secret) };
}

/** Tells whether this server made the token for the session: nobody else can end a session by sending something used up. */
export function isOwnRefreshToken({ session, secret, tag }: RefreshToken, key: string): boolean {
  return isSame(tagOf(session, secret, key), tag);
}

/** Compares two texts in a time that says nothing of where they differ (security S48). */
export function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function tagOf(session: string, secret: string, key: string): string {
  return createHmac('sha256', key).update(`${session}.${secret}`).digest('base64url').slice(0, 22);
}

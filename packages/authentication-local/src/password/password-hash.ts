import type { Algorithm } from '@node-rs/argon2';
import { BadRequest } from '@framework/errors';
import { inTurn } from './hash-queue.ts';
import { onThread } from './hash-threads.ts';

/** Longest password, in bytes: longer ones are refused before any work is done (security S25). */
export const PASSWORD_LENGTH = 1024;

/** Bytes that bcrypt looks at. */
const BCRYPT_LENGTH = 72;

/** Cost of argon2id: memory in KiB, passes, threads (OWASP password storage). */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** 19 MiB, two passes. */
export const DEFAULT_COST: HashCost = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/**
 * Hashes a password with argon2id, off the main thread.
 *
 * @throws BadRequest (400) for a password that is empty or too long, TooManyRequests (429)
 */
export async function hashPassword(password: string, cost: HashCost = DEFAULT_COST): Promise<string> {
  if (password === '') throw new BadRequest('The password is empty');
  if (Buffer.byteLength(password) > PASSWORD_LENGTH) throw new BadRequest(`The password may have at most ${String(PASSWORD_LENGTH)} bytes`);
  return inTurn(() => onThread('argonHash', normalized(password), { algorithm: ARGON2ID, ...cost }));
}

// An ambient constant enumeration of the binding; its value is part of the format.
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- its members do not exist when the code runs
const ARGON2ID = 2 as Algorithm.Argon2id;

/** The same text gives the same bytes however a keyboard composes it. */
function normalized(password: string): string {
  return password.normalize('NFC');
}

/** What comparing a password gave. */
export interface Comparison {
  readonly matches: boolean;
  /** Whether the hash is of an older kind or cost and should be made again. */
  readonly outdated: boolean;
}

/**
 * Compares a password with a hash: argon2 or bcrypt.
 *
 * @param password the password, of any length
 * @param hash the stored hash; anything that is none matches nothing, after the same work
 * @throws TooManyRequests (429)
 */
export async function comparePassword(password: string, hash: unknown, cost: HashCost = DEFAULT_COST): Promise<Comparison> {
  if (Buffer.byteLength(password) > PASSWORD_LENGTH) return NO_MATCH;
  if (typeof hash === 'string' && hash.startsWith('$argon2')) {
    const matches = await attempt(() => onThread('argonVerify', hash, normalized(password)));
    return { matches, outdated: matches && !hash.startsWith('$argon2id$') ? true : matches && costOf(hash) !== costText(cost) };
  }
  if (typeof hash === 'string' && /^\$2[aby]\$\d\d\$.{53}$/.test(hash)) {
    // What bcrypt would cut off must not count as equal.
    const comparable = Buffer.byteLength(password) <= BCRYPT_LENGTH;
    const matches = await attempt(() => onThread('bcryptVerify', password, hash));
    return { matches: matches && comparable, outdated: true };
  }
  await compareWithNothing(password, cost);
  return NO_MATCH;
}

const NO_MATCH: Comparison = Object.freeze({ matches: false, outdated: false });

function costText({ memoryCost, timeCost, parallelism }: HashCost): string {
  return `m=${String(memoryCost)},t=${String(timeCost)},p=${String(parallelism)}`;
}

function costOf(hash: string): string | undefined {
  return hash.split('$').find((part) => part.startsWith('m='));
}

async function attempt(verify: () => Promise<boolean>): Promise<boolean> {
  return inTurn(async () => {
    try {
      return await verify();
    } catch {
      // A hash that the binding can not read matches nothing.
      return false;
    }
  });
}

const decoys = new Map<string, Promise<string>>();

/**
 * Does the work of a comparison where there is nothing to compare with, so that an unknown user takes as long as a wrong
 * password (security S23).
 */
export async function compareWithNothing(password: string, cost: HashCost = DEFAULT_COST): Promise<void> {
  const key = costText(cost);
  const decoy = decoys.get(key) ?? onThread('argonHash', 'decoy', { algorithm: ARGON2ID, ...cost });
  decoys.set(key, decoy);
  const hash = await decoy;
  await attempt(() => onThread('argonVerify', hash, normalized(password.slice(0, PASSWORD_LENGTH))));
}

import { createHash } from 'node:crypto';
import type { Algorithm } from '@node-rs/argon2';
import { checkOptionNames } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { tellHashing } from './hash-events.ts';
import { hashKind, workOf } from './hash-kind.ts';
import { inTurn } from './hash-queue.ts';
import { BindingError, onThread } from './hash-threads.ts';

/** Longest password, in bytes: longer ones are never stored (security S25). */
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

/** The least of each, as argon2 has it (RFC 9106 3.1); of memory for each thread. */
const LEAST_COST: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const COST_NAMES: ReadonlySet<string> = new Set(Object.keys(DEFAULT_COST));
/** Numbers of 32 bits. */
const MOST = 2 ** 32 - 1;

/**
 * Refuses a cost with which no password could be hashed, or which is not the one that was meant.
 *
 * @param given the option; callers without types may give anything
 * @param setting where it stands, for example `authentication.local.hashCost`
 * @throws Error that names what is wrong
 */
export function checkCost(given: unknown, setting: string): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null)
    throw new Error(`'${setting}' must be an object with ${Object.keys(DEFAULT_COST).join(', ')}`);
  checkOptionNames(`'${setting}'`, given, COST_NAMES);
  const cost: HashCost = { ...DEFAULT_COST, ...given };
  for (const name of ['parallelism', 'timeCost', 'memoryCost'] as const) {
    const least = LEAST_COST[name] * (name === 'memoryCost' ? cost.parallelism : 1);
    if (!Number.isSafeInteger(cost[name]) || cost[name] < least || cost[name] > MOST)
      throw new Error(`'${setting}.${name}' must be a whole number of ${String(least)} or more`);
  }
}

/** @returns kind and cost of the hashes that are made with a cost */
export function workOfCost({ memoryCost, timeCost, parallelism }: HashCost): string {
  return `$argon2id$v=19$m=${String(memoryCost)},t=${String(timeCost)},p=${String(parallelism)}`;
}

/**
 * Hashes a password with argon2id, off the main thread.
 *
 * @throws BadRequest (400) for a password that is empty or too long, TooManyRequests (429), Unavailable (503)
 */
export async function hashPassword(password: string, cost: HashCost = DEFAULT_COST): Promise<string> {
  if (password === '') throw new BadRequest('The password is empty');
  if (Buffer.byteLength(password) > PASSWORD_LENGTH) throw new BadRequest(`The password may have at most ${String(PASSWORD_LENGTH)} bytes`);
  return inTurn(() => {
    tellHashing({ operation: 'hash', work: workOfCost(cost) });
    return onThread('argonHash', normalized(password), { algorithm: ARGON2ID, ...cost });
  });
}

// An ambient constant enumeration of the binding; its value is part of the format.
// oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its members do not exist when the code runs
const ARGON2ID = 2 as Algorithm.Argon2id;

/** The same text gives the same bytes however a keyboard composes it. */
function normalized(password: string): string {
  return password.normalize('NFC');
}

/**
 * Verifies a password against a hash of a known kind. A password that is too long to be anybody's takes the same work.
 *
 * @param password the password, of any length
 * @param hash an argon2 or bcrypt hash
 * @returns whether it matches; `false` too for a hash that the binding can not read
 * @throws TooManyRequests (429), Unavailable (503)
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const isBcrypt = hashKind(hash) === 'bcrypt';
  const bytes = Buffer.byteLength(password);
  // What bcrypt would cut off must not count as equal.
  const comparable = bytes <= (isBcrypt ? BCRYPT_LENGTH : PASSWORD_LENGTH);
  const text = bytes <= PASSWORD_LENGTH ? password : createHash('sha256').update(password).digest('base64');
  const matches = await inTurn(async () => {
    tellHashing({ operation: 'verify', work: workOf(hash) });
    try {
      return await (isBcrypt ? onThread('bcryptVerify', text, hash) : onThread('argonVerify', hash, normalized(text)));
    } catch (error) {
      if (error instanceof BindingError) return false;
      throw error;
    }
  });
  return matches && comparable;
}

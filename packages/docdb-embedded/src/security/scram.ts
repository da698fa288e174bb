import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { saslprep } from '@mongodb-js/saslprep';
import { badValue, DocDbError } from '../errors.ts';

/** The mechanisms that there are. */
export const MECHANISMS = ['SCRAM-SHA-1', 'SCRAM-SHA-256'] as const;
/** How somebody logs in. */
export type Mechanism = (typeof MECHANISMS)[number];

/** What is kept of a password: enough to check it, and not enough to log in with. */
export interface ScramCredentials {
  readonly iterationCount: number;
  readonly salt: string;
  readonly storedKey: string;
  readonly serverKey: string;
}

/** What is kept of a user's password, for each mechanism that the user may log in with. */
export type Credentials = Readonly<Partial<Record<Mechanism, ScramCredentials>>>;

/** What a mechanism counts with; rounds and salts of new passwords are a MongoDB server's. */
interface Variant {
  readonly hash: 'sha1' | 'sha256';
  readonly iterations: number;
  readonly saltBytes: number;
  readonly keyBytes: number;
}

const VARIANTS: Readonly<Record<Mechanism, Variant>> = {
  'SCRAM-SHA-1': { hash: 'sha1', iterations: 10_000, saltBytes: 16, keyBytes: 20 },
  'SCRAM-SHA-256': { hash: 'sha256', iterations: 15_000, saltBytes: 28, keyBytes: 32 },
};
/** Bytes of a message of a login. */
const MAX_PAYLOAD = 4096;
const MAX_NONCE = 256;
/** Characters of a password. */
const MAX_PASSWORD = 1024;
const derive = promisify(pbkdf2);

const hmac = (hash: string, key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest();
const digest = (hash: string, bytes: Buffer): Buffer => createHash(hash).update(bytes).digest();

/** @returns whether a text names a mechanism */
export function isMechanism(name: string): name is Mechanism {
  return MECHANISMS.some((mechanism) => mechanism === name);
}

/** @returns the error of every login that fails, whatever the reason */
export function loginFailed(): DocDbError {
  return new DocDbError(18, 'Authentication failed.');
}

/** Whose password it is, and whether it is one or what drivers make of it for SCRAM-SHA-1. */
export interface GivenPassword {
  readonly user: string;
  readonly password: string;
  readonly isDigest: boolean;
}

/**
 * Makes what is kept of a password (RFC 5802, 3), for each of some mechanisms.
 *
 * @throws DocDbError (2) for a password that is empty, too long or not allowed by SASLprep
 */
export async function makeCredentials(given: GivenPassword, mechanisms: readonly Mechanism[]): Promise<Credentials> {
  const { password } = given;
  if (password === '') throw badValue('Password cannot be empty');
  if (password.length > MAX_PASSWORD) throw badValue(`A password has at most ${String(MAX_PASSWORD)} characters`);
  const made = mechanisms.map(async (mechanism): Promise<[Mechanism, ScramCredentials]> => {
    const salt = randomBytes(VARIANTS[mechanism].saltBytes);
    return [mechanism, await credentialsWith(mechanism, prepared(mechanism, given), salt)];
  });
  return Object.fromEntries(await Promise.all(made));
}

async function credentialsWith(mechanism: Mechanism, password: string, salt: Buffer): Promise<ScramCredentials> {
  const { hash, iterations, keyBytes } = VARIANTS[mechanism];
  const salted = await derive(password, salt, iterations, keyBytes, hash);
  return {
    iterationCount: iterations,
    salt: salt.toString('base64'),
    storedKey: digest(hash, hmac(hash, salted, 'Client Key')).toString('base64'),
    serverKey: hmac(hash, salted, 'Server Key').toString('base64'),
  };
}

/** @returns whether credentials are those of a password */
export async function isPassword(given: GivenPassword, credentials: Credentials): Promise<boolean> {
  const mechanism = MECHANISMS.findLast((name) => credentials[name]);
  const known = mechanism && credentials[mechanism];
  if (!known) return false;
  const { storedKey } = await credentialsWith(mechanism, prepared(mechanism, given), Buffer.from(known.salt, 'base64'));
  return timingSafeEqual(Buffer.from(storedKey, 'base64'), Buffer.from(known.storedKey, 'base64'));
}

/** The form of a password that a mechanism counts with: for SCRAM-SHA-1 it is the digest of old drivers. */
function prepared(mechanism: Mechanism, { user, password, isDigest }: GivenPassword): string {
  if (mechanism === 'SCRAM-SHA-1') return isDigest ? password : digest('md5', Buffer.from(`${user}:mongo:${password}`)).toString('hex');
  try {
    return saslprep(password);
  } catch {
    throw badValue('The password has characters that SASLprep does not allow');
  }
}

/** What a client says first. */
export interface ClientFirst {
  readonly user: string;
  readonly header: string;
  readonly bare: string;
  readonly nonce: string;
}

/**
 * Reads the first message of a client.
 *
 * @throws DocDbError (18) for what is none, for channel binding, and for who wants to be somebody else
 */
export function readClientFirst(payload: Buffer): ClientFirst {
  const parts = /^([ny],,)((?:n=([^,]+)),r=([\x21-\x2b\x2d-\x7e]+))$/.exec(textOf(payload));
  if (!parts) throw loginFailed();
  const [, header = '', bare = '', name = '', nonce = ''] = parts;
  if (nonce.length > MAX_NONCE || /=(?!2C|3D)/.test(name)) throw loginFailed();
  return { user: name.replaceAll('=2C', ',').replaceAll('=3D', '='), header, bare, nonce };
}

function textOf(payload: Buffer): string {
  if (payload.length > MAX_PAYLOAD) throw loginFailed();
  return payload.toString('utf8');
}

/** One login by SCRAM (RFC 5802 and 7677), as the server sees it. */
export class ScramExchange {
  readonly #hash: string;
  readonly #credentials: ScramCredentials;
  readonly #nonce: string;
  readonly #first: ClientFirst;
  /** What the server says first. */
  readonly reply: string;

  /** @param credentials of the user, or of nobody: such a login is refused at the end, after the same work */
  constructor(mechanism: Mechanism, first: ClientFirst, credentials: ScramCredentials) {
    this.#hash = VARIANTS[mechanism].hash;
    this.#first = first;
    this.#credentials = credentials;
    this.#nonce = first.nonce + randomBytes(24).toString('base64');
    this.reply = `r=${this.#nonce},s=${credentials.salt},i=${String(credentials.iterationCount)}`;
  }

  /**
   * Checks the proof of the client.
   *
   * @returns what proves the server to the client
   * @throws DocDbError (18)
   */
  finish(payload: Buffer): string {
    const parts = /^(c=([A-Za-z0-9+/=]+),r=([\x21-\x2b\x2d-\x7e]+)),p=([A-Za-z0-9+/]{27,43}=)$/.exec(textOf(payload));
    if (!parts) throw loginFailed();
    const [, withoutProof = '', binding = '', nonce = '', proof = ''] = parts;
    const message = `${this.#first.bare},${this.reply},${withoutProof}`;
    const storedKey = Buffer.from(this.#credentials.storedKey, 'base64');
    const signature = hmac(this.#hash, storedKey, message);
    const given = Buffer.from(proof, 'base64');
    if (given.length !== signature.length) throw loginFailed();
    const clientKey = Buffer.from(signature.map((byte, at) => byte ^ (given[at] ?? 0)));
    const proves = timingSafeEqual(digest(this.#hash, clientKey), storedKey);
    const signed = hmac(this.#hash, Buffer.from(this.#credentials.serverKey, 'base64'), message);
    const fits = nonce === this.#nonce && Buffer.from(binding, 'base64').toString() === this.#first.header;
    if (!proves || !fits) throw loginFailed();
    return `v=${signed.toString('base64')}`;
  }
}

/** @returns credentials of nobody; the same ones for a name each time, so that a name without a user looks like one with */
export function decoyCredentials(mechanism: Mechanism, secret: Buffer, name: string): ScramCredentials {
  const { iterations, saltBytes, keyBytes } = VARIANTS[mechanism];
  const of = mechanism === 'SCRAM-SHA-256' ? name : `${mechanism}\0${name}`;
  const part = (which: string, bytes: number): string => hmac('sha256', secret, `${which}\0${of}`).subarray(0, bytes).toString('base64');
  return {
    iterationCount: iterations,
    salt: part('salt', saltBytes),
    storedKey: part('stored', keyBytes),
    serverKey: part('server', keyBytes),
  };
}

import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { saslprep } from '@mongodb-js/saslprep';
import { badValue, DocDbError } from '../errors.ts';

/** What is kept of a password: enough to check it, and not enough to log in with. */
export interface ScramCredentials {
  readonly iterationCount: number;
  readonly salt: string;
  readonly storedKey: string;
  readonly serverKey: string;
}

/** Rounds of a new password, as many as a MongoDB server's. */
export const ITERATIONS = 15_000;
const SALT_BYTES = 28;
const KEY_BYTES = 32;
/** Bytes of a message of a login. */
const MAX_PAYLOAD = 4096;
const MAX_NONCE = 256;
/** Characters of a password. */
const MAX_PASSWORD = 1024;
const derive = promisify(pbkdf2);

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** @returns the error of every login that fails, whatever the reason */
export function loginFailed(): DocDbError {
  return new DocDbError(18, 'Authentication failed.');
}

/**
 * Makes what is kept of a password (RFC 5802, 3).
 *
 * @throws DocDbError (2) for a password that is empty, too long or not allowed by SASLprep
 */
export async function makeCredentials(password: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<ScramCredentials> {
  if (password === '') throw badValue('Password cannot be empty');
  if (password.length > MAX_PASSWORD) throw badValue(`A password has at most ${String(MAX_PASSWORD)} characters`);
  const salted = await derive(prepared(password), salt, ITERATIONS, KEY_BYTES, 'sha256');
  return {
    iterationCount: ITERATIONS,
    salt: salt.toString('base64'),
    storedKey: sha256(hmac(salted, 'Client Key')).toString('base64'),
    serverKey: hmac(salted, 'Server Key').toString('base64'),
  };
}

/** @returns whether credentials are those of a password */
export async function isPassword(password: string, known: ScramCredentials): Promise<boolean> {
  const { storedKey } = await makeCredentials(password, Buffer.from(known.salt, 'base64'));
  return timingSafeEqual(Buffer.from(storedKey, 'base64'), Buffer.from(known.storedKey, 'base64'));
}

function prepared(password: string): string {
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

/** One login by SCRAM-SHA-256 (RFC 5802 and 7677), as the server sees it. */
export class ScramExchange {
  readonly #credentials: ScramCredentials;
  readonly #known: boolean;
  readonly #nonce: string;
  readonly #first: ClientFirst;
  /** What the server says first. */
  readonly reply: string;

  /** @param known whether there is such a user; one that there is not is refused at the end, after the same work */
  constructor(first: ClientFirst, credentials: ScramCredentials, known: boolean) {
    this.#first = first;
    this.#credentials = credentials;
    this.#known = known;
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
    const parts = /^(c=([A-Za-z0-9+/=]+),r=([\x21-\x2b\x2d-\x7e]+)),p=([A-Za-z0-9+/]{43}=)$/.exec(textOf(payload));
    if (!parts) throw loginFailed();
    const [, withoutProof = '', binding = '', nonce = '', proof = ''] = parts;
    const message = `${this.#first.bare},${this.reply},${withoutProof}`;
    const storedKey = Buffer.from(this.#credentials.storedKey, 'base64');
    const signature = hmac(storedKey, message);
    const given = Buffer.from(proof, 'base64');
    const clientKey = Buffer.from(signature.map((byte, at) => byte ^ (given[at] ?? 0)));
    const proves = timingSafeEqual(sha256(clientKey), storedKey);
    const signed = hmac(Buffer.from(this.#credentials.serverKey, 'base64'), message);
    const fits = nonce === this.#nonce && Buffer.from(binding, 'base64').toString() === this.#first.header;
    if (!proves || !fits || !this.#known) throw loginFailed();
    return `v=${signed.toString('base64')}`;
  }
}

/** @returns credentials of nobody; the same ones for a name each time, so that a name without a user looks like one with */
export function decoyCredentials(secret: Buffer, name: string): ScramCredentials {
  const part = (which: string): Buffer => hmac(secret, `${which}\0${name}`);
  return {
    iterationCount: ITERATIONS,
    salt: part('salt').subarray(0, SALT_BYTES).toString('base64'),
    storedKey: part('stored').toString('base64'),
    serverKey: part('server').toString('base64'),
  };
}

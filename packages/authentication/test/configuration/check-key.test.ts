import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { checkKey } from '../../src/configuration/check-key.ts';

const check =
  (secret: unknown, algorithm = 'HS256') =>
  (): void => {
    checkKey(secret, algorithm, 'auth.keys[0].secret', 'auth');
  };
const HOW = `Make one with: node -e "console.log(require('crypto').randomBytes(48).toString('base64'))". For development set 'auth.allowWeakSecret' to true`;
const short = (bytes: number): Error => new Error(`'auth.keys[0].secret' has ${String(bytes)} bytes; at least 32 are needed. ${HOW}`);
const SIMPLE = new Error(`'auth.keys[0].secret' is easy to guess. ${HOW}`);

/** A text of so many characters, each another one. */
const text = (length: number): string => Array.from({ length }, (_, index) => String.fromCodePoint(0x30 + index)).join('');
const forms: [string, (secret: string) => unknown][] = [
  ['a text', (secret) => secret],
  ['bytes', (secret) => Buffer.from(secret)],
  ['a Uint8Array', (secret) => new Uint8Array(Buffer.from(secret))],
  ['a KeyObject', (secret) => createSecretKey(Buffer.from(secret))],
  ['a JWK', (secret) => ({ kty: 'oct', k: Buffer.from(secret).toString('base64url') })],
];

describe.each(forms)('a secret that is %s', (_form, as) => {
  it('needs 32 bytes', () => {
    expect(check(as(text(31)))).toThrow(short(31));
    expect(check(as(text(32)))).not.toThrow();
    expect(check(as('ä'.repeat(15)))).toThrow(short(30));
  });

  it('needs 8 different bytes', () => {
    expect(check(as(`${text(7)}${'0'.repeat(30)}`))).toThrow(SIMPLE);
    expect(check(as(`${text(8)}${'0'.repeat(30)}`))).not.toThrow();
  });

  it.each([
    'abcdefgh'.repeat(4),
    `a ${'long '.repeat(6)} SUPERSECRET, written out`,
    'please changeme before you go live, will you',
    'this is your-256-bit-secret of the tutorial',
    'this is your_secret, as it was in the tutorial',
    'This is Your Secret, as it was in the tutorial',
    'this is your256bitsecret of a tutorial, 123',
    'put your <signing_secret> here, as it is said',
  ])('is none that others know: %s', (secret) => {
    expect(check(as(secret))).toThrow(SIMPLE);
  });

  it.each(['abcdefghi'.repeat(4), 'what you secretly like and nobody knows', `${'abcdefgh'.repeat(4)}i`])('may be %s', (secret) => {
    expect(check(as(secret))).not.toThrow();
  });

  it.each(['HS384', 'HS512'])('is looked at for %s too', (algorithm) => {
    expect(check(as('short'), algorithm)).toThrow(short(5));
    expect(check(as(randomBytes(64).toString('hex')), algorithm)).not.toThrow();
  });
});

describe('a key pair', () => {
  const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
  const [weak, strong] = [rsa(1024), rsa(2048)];
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  it('of RSA needs 2048 bits', () => {
    const error = new Error("'auth.keys[0].secret' is an RSA key of 1024 bits; at least 2048 are needed");
    expect(check(weak, 'RS256')).toThrow(error);
    expect(check(weak.export({ format: 'jwk' }), 'PS256')).toThrow(error);
    expect(check(strong, 'RS256')).not.toThrow();
  });

  it('of a curve is as long as it is', () => {
    expect(check(curve.privateKey, 'ES256')).not.toThrow();
    expect(check(String(curve.privateKey.export({ format: 'pem', type: 'pkcs8' })), 'ES256')).not.toThrow();
  });

  it.each<[string, () => unknown, string]>([
    ['ES256', () => strong, "'auth.keys[0].secret' is a key of the kind rsa, and ES256 needs ec prime256v1"],
    ['ES384', () => curve.privateKey, 'is a key of the kind ec prime256v1, and ES384 needs ec secp384r1'],
    ['RS256', () => curve.publicKey, 'is a key of the kind ec prime256v1, and RS256 needs rsa'],
    ['PS512', () => curve.privateKey, 'and PS512 needs rsa or rsa-pss'],
    ['EdDSA', () => strong, 'is a key of the kind rsa, and EdDSA needs ed25519'],
    ['ES256', () => createSecretKey(randomBytes(48)), 'is a key of the kind secret, and ES256 needs ec prime256v1'],
  ])('fits its algorithm: %s', (algorithm, key, message) => {
    expect(check(key(), algorithm)).toThrow(message);
  });

  it('to verify with may be the public half alone', () => {
    expect(check(curve.publicKey, 'ES256')).not.toThrow();
    expect(check(String(curve.publicKey.export({ format: 'pem', type: 'spki' })), 'ES256')).not.toThrow();
  });

  it('is needed for other algorithms, and refused for HS', () => {
    expect(check(randomBytes(48).toString('base64'), 'ES256')).toThrow('The secret is no public or private key for ES256');
    expect(check(curve.privateKey)).toThrow('An HS algorithm needs a secret, not a key pair');
    expect(check({ kty: 'EC', k: 'c2hvcnQ' })).toThrow('An HS algorithm needs a secret text');
    expect(check({ kty: 'oct' })).toThrow('An HS algorithm needs a secret text');
    expect(check({ kty: 'oct', k: 5 })).toThrow('An HS algorithm needs a secret text');
  });
});

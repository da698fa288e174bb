import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { derivedKey, type AuthenticationConfiguration, type KeyPurpose } from '../../src/index.ts';
import { SECRET } from '../harness.ts';

const PURPOSES: readonly KeyPurpose[] = ['refresh', 'device', 'account', 'oauth-flow'];
/** The keys of a process that has read the secret by itself. */
const keys = (secret: unknown): string[] => {
  const configuration: AuthenticationConfiguration = { secret };
  return PURPOSES.map((purpose) => derivedKey(configuration, purpose).toString('hex'));
};

/** HKDF (RFC 5869) of the secret, as another implementation gives it. */
const VECTORS = [
  'c5f8caa5df5329969a6b6633fae02bf8edad97830b311bc12238a9c7e1a2dff5',
  '4f00b1ce27ac2ccabad99929a62c3ac0dfac82494c9f5acd717204467f43ffe1',
  'd3e85368db47e5bb50545c6f4b485ff23ed5b319fb77ca7abdb92d70ddbff190',
  'c3b42bda317ade7e41b7e89a69ddaed4d85a58ecc82b1f8c65b2dc38887764f0',
];

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
const jwk = privateKey.export({ format: 'jwk' });

describe('the keys of a server', () => {
  it('are of 256 bits, one for each purpose, and the same in every version: others have marked devices and tokens with them', () => {
    expect(keys(SECRET)).toEqual(VECTORS);
  });

  it('are of the accounts of one service where they are about accounts: an id is another account in another service', () => {
    const of = (purpose: KeyPurpose, service: string): string => derivedKey({ secret: SECRET, service }, purpose).toString('hex');
    for (const purpose of ['device', 'account'] as const) expect(of(purpose, 'users')).not.toBe(of(purpose, 'admins'));
    for (const purpose of ['refresh', 'oauth-flow'] as const) expect(of(purpose, 'users')).toBe(of(purpose, 'admins'));
    expect(of('device', 'users')).toBe(of('device', 'users'));
  });

  it.each<[string, () => unknown]>([
    ['a text', () => SECRET],
    ['bytes', () => Buffer.from('bytes of a secret')],
    ['a Uint8Array', () => new Uint8Array([1, 2, 3])],
    ['a secret KeyObject', () => createSecretKey(Buffer.from(SECRET))],
    ['a private KeyObject', () => createPrivateKey(pem)],
    ['a PEM text', () => pem],
    ['a JWK', () => ({ ...jwk })],
  ])('are the same in each process with the same secret, and have nothing in common: %s', (_form, secret) => {
    expect(keys(secret())).toEqual(keys(secret()));
    expect(new Set(keys(secret())).size).toBe(PURPOSES.length);
    for (const key of keys(secret())) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are the same for a text, its bytes and a KeyObject of them', () => {
    const bytes = Buffer.from(SECRET);
    for (const form of [bytes, new Uint8Array(bytes), createSecretKey(bytes)]) expect(keys(form)).toEqual(keys(SECRET));
  });

  it('are others for each other secret, whatever its form', () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    const secrets: unknown[] = [SECRET, `${SECRET} `, '[object Object]', privateKey, other, pem, jwk, other.export({ format: 'jwk' }), {}];
    expect(new Set(secrets.map((secret) => keys(secret)[0])).size).toBe(secrets.length);
  });

  it.each<[string, unknown]>([
    ['no secret', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a number', 5],
    ['a public key alone', createPublicKey(pem)],
  ])('are random, for as long as the configuration lasts, with %s', (_what, secret) => {
    const configuration: AuthenticationConfiguration = { secret };
    for (const purpose of PURPOSES) expect(derivedKey(configuration, purpose)).toEqual(derivedKey(configuration, purpose));
    expect(new Set([...keys(secret), ...keys(secret)]).size).toBe(2 * PURPOSES.length);
    expect(publicKey.type).toBe('public');
  });
});

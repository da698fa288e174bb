import { createPublicKey, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { importKey } from '../../src/tokens/keys.ts';
import { publicKeys } from '../../src/tokens/public-keys.ts';
import { createToken } from '../../src/tokens/create-token.ts';
import { verifyToken } from '../../src/tokens/verify-token.ts';

const HS = { algorithm: 'HS256', expiresIn: '1h' } as const;
const ES = { algorithm: 'ES256', expiresIn: '1h' } as const;
/** Never the same: keys are remembered by their secrets. */
const text = (): string => randomBytes(32).toString('hex');
const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pems = () => {
  const { privateKey, publicKey } = pair();
  const [own, open] = [privateKey.export({ format: 'pem', type: 'pkcs8' }), publicKey.export({ format: 'pem', type: 'spki' })];
  return { privateKey: String(own), publicKey: String(open) };
};

describe('the forms of a secret for HS algorithms', () => {
  it.each([
    ['a text', (secret: string): unknown => secret],
    ['its bytes', (secret: string): unknown => Buffer.from(secret)],
    ['a Uint8Array', (secret: string): unknown => new Uint8Array(Buffer.from(secret))],
    ['a KeyObject', (secret: string): unknown => createSecretKey(Buffer.from(secret))],
    ['a JWK', (secret: string): unknown => ({ kty: 'oct', k: Buffer.from(secret).toString('base64url') })],
  ])('%s signs and verifies as the text does', async (_, form) => {
    const secret = text();
    const token = await createToken({ a: 1 }, HS, form(secret));
    expect(await verifyToken(token, HS, { secret })).toMatchObject({ a: 1 });
    expect(await verifyToken(await createToken({ b: 2 }, HS, secret), HS, { secret: form(secret) })).toMatchObject({ b: 2 });
    await expect(verifyToken(token, HS, { secret: form(text()) })).rejects.toMatchObject({ code: 401 });
  });

  it.each([
    ['a PEM text', () => pems().publicKey],
    ['PEM bytes', () => Buffer.from(pems().publicKey)],
    ['a KeyObject of a pair', () => pair().publicKey],
  ])('S15 %s never becomes the secret of an HMAC', (_, secret) => {
    for (const use of ['sign', 'verify'] as const)
      expect(() => importKey(secret(), 'HS256', use)).toThrow('An HS algorithm needs a secret, not a key pair');
  });

  it.each([
    ['a JWK of a pair', () => pair().privateKey.export({ format: 'jwk' })],
    ['a JWK without its bytes', () => ({ kty: 'oct' })],
    ['bytes under another type', () => ({ kty: 'RSA', k: 'YQ' })],
    ['an object of something else', () => ({})],
  ])('S15 %s is no secret', (_, secret) => {
    expect(() => importKey(secret(), 'HS512', 'verify')).toThrow('An HS algorithm needs a secret text');
  });

  it.each([undefined, null, 5, true])('%p is no key at all', (secret) => {
    expect(() => importKey(secret, 'HS256', 'sign')).toThrow('A secret or a key is needed to sign and verify tokens');
  });
});

describe('the forms of a key for other algorithms', () => {
  it.each([
    ['PEM texts', pems],
    [
      'PEM bytes',
      () => {
        const { privateKey, publicKey } = pems();
        return { privateKey: Buffer.from(privateKey), publicKey: Buffer.from(publicKey) };
      },
    ],
    ['KeyObjects', pair],
    [
      'JWKs',
      () => {
        const { privateKey, publicKey } = pair();
        return { privateKey: privateKey.export({ format: 'jwk' }), publicKey: publicKey.export({ format: 'jwk' }) };
      },
    ],
  ])('%s: the private one signs, both verify', async (_, make) => {
    const { privateKey, publicKey } = make();
    const token = await createToken({ a: 1 }, ES, privateKey);
    for (const secret of [privateKey, publicKey]) expect(await verifyToken(token, ES, { secret })).toMatchObject({ a: 1 });
    await expect(verifyToken(token, ES, { secret: make().publicKey })).rejects.toMatchObject({ code: 401 });
  });

  it.each([
    ['sign', 'The secret is no private key for ES256: use PEM, a JWK or a KeyObject'],
    ['verify', 'The secret is no public or private key for ES256: use PEM, a JWK or a KeyObject'],
  ] as const)('what is none says so without showing itself, to %s', (use, message) => {
    const secret = text();
    const thrown = (): unknown => {
      try {
        return importKey(secret, 'ES256', use);
      } catch (error) {
        return error;
      }
    };
    expect(thrown()).toHaveProperty('message', message);
    expect(thrown()).toHaveProperty('cause.message');
    expect(String((thrown() as Error).message)).not.toContain(secret);
  });

  it('a key is imported once for each use and algorithm', () => {
    const secret = { ...pair().privateKey.export({ format: 'jwk' }) };
    const [signing, verifying] = [importKey(secret, 'ES256', 'sign'), importKey(secret, 'ES256', 'verify')];
    expect(importKey(secret, 'ES256', 'sign')).toBe(signing);
    expect([signing.type, verifying.type]).toEqual(['private', 'public']);
    const shared = text();
    expect(importKey(shared, 'HS256', 'sign')).toBe(importKey(shared, 'HS256', 'sign'));
  });
});

describe('keys by name', () => {
  const keys = () => [
    { secret: text(), kid: 'a', algorithm: 'HS256' },
    { secret: text(), kid: 'b', algorithm: 'HS256' },
  ];

  it('a token is verified by the key that it names alone, or by any where it names none', async () => {
    const [present, known] = [text(), keys()];
    const [first, second] = known as [(typeof known)[0], (typeof known)[0]];
    const secrets = { secret: present, keys: known };
    const options = { ...HS, keyid: 'now' };
    const made = (secret: string, keyid?: string) => createToken({}, { ...HS, ...(keyid === undefined ? {} : { keyid }) }, secret);
    for (const token of [await made(present, 'now'), await made(first.secret, 'a'), await made(second.secret, 'b')])
      expect(await verifyToken(token, options, secrets)).toHaveProperty('jti');
    for (const secret of [present, first.secret, second.secret])
      expect(await verifyToken(await made(secret), options, secrets)).toHaveProperty('jti');
    for (const token of [
      await made(present, 'a'),
      await made(second.secret, 'a'),
      await made(first.secret, 'now'),
      await made(present, 'c'),
    ])
      await expect(verifyToken(token, options, secrets)).rejects.toMatchObject({ code: 401 });
  });

  it('without further keys the name does not matter', async () => {
    const secret = text();
    const token = await createToken({}, { ...HS, keyid: 'x' }, secret);
    expect(await verifyToken(token, { ...HS, keyid: 'y' }, { secret })).toHaveProperty('jti');
    expect(await verifyToken(token, HS, { secret, keys: [] })).toHaveProperty('jti');
  });

  it('a token that has ended is told so, also when other keys would come behind', async () => {
    const secret = text();
    const token = await createToken({ iat: 1_700_000_000 }, { ...HS, expiresIn: 60 }, secret);
    await expect(verifyToken(token, HS, { secret, keys: keys() })).rejects.toMatchObject({
      message: 'jwt expired',
      data: { name: 'TokenExpiredError', expiredAt: '2023-11-14T22:14:20.000Z' },
    });
  });

  it('public halves are shown with their names and algorithms, and no secret is', () => {
    const [one, other] = [pair(), pair()];
    const shown = publicKeys({
      secret: one.privateKey,
      jwtOptions: { algorithm: ['ES256', 'ES384'], keyid: 'now' },
      keys: [{ secret: other.privateKey }, { secret: text(), kid: 'h', algorithm: 'HS256' }],
    } as never);
    expect(shown.map(({ kid, alg, use }) => ({ kid, alg, use }))).toEqual([
      { kid: 'now', alg: 'ES256', use: 'sig' },
      { kid: undefined, alg: 'ES256', use: 'sig' },
    ]);
    expect(Object.keys(shown[1] ?? {})).not.toContain('kid');
    expect(shown.map((key) => createPublicKey({ key, format: 'jwk' }).equals(one.publicKey))).toEqual([true, false]);
    expect(JSON.stringify(shown)).not.toContain('"d"');
    expect(publicKeys({ secret: text() } as never)).toEqual([]);
  });
});

describe('verifying', () => {
  const secret = text();
  const now = 1_800_000_000;
  const at = (seconds: number) => ({ ...HS, clockTimestamp: seconds });
  const signed = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(Buffer.from(secret)));

  it.each([
    ['iat', -1],
    ['iat', 1.5],
    ['nbf', -1],
    ['nbf', 0.5],
    ['exp', 253_402_300_800],
    ['exp', 1e300],
  ])('S18 a token whose %s is %p is refused', async (name, value) => {
    const sound = { iat: now, exp: now + 60, jti: 'x' };
    expect(await verifyToken(await signed(sound), at(now), { secret })).toMatchObject({ jti: 'x' });
    await expect(verifyToken(await signed({ ...sound, [name]: value }), at(now), { secret })).rejects.toMatchObject({ code: 401 });
  });

  it('S18 the last second of the year 9999 and the first of 1970 are times', async () => {
    const token = await signed({ iat: now, nbf: 0, exp: 253_402_300_799, jti: 'x' });
    expect(await verifyToken(token, at(now), { secret })).toMatchObject({ nbf: 0 });
  });

  it.each([['iat'], ['jti'], ['exp']])('S18 a token without %s is refused', async (name) => {
    const claims = Object.fromEntries(Object.entries({ iat: now, exp: now + 60, jti: 'x' }).filter(([claim]) => claim !== name));
    await expect(verifyToken(await signed(claims), at(now), { secret })).rejects.toMatchObject({ code: 401 });
  });

  it('without expiresIn tokens need no end', async () => {
    const { expiresIn: _, ...endless } = at(now);
    expect(await verifyToken(await signed({ iat: now, jti: 'x' }), endless, { secret })).toMatchObject({ jti: 'x' });
  });

  it('S18 an age counts to the second, with the tolerance of clocks', async () => {
    const token = await signed({ iat: now, exp: now + 1000, jti: 'x' });
    const aged = (seconds: number, clockTolerance = 0) =>
      verifyToken(token, { ...at(now + seconds), maxAge: 100, clockTolerance }, { secret });
    expect(await aged(100)).toMatchObject({ jti: 'x' });
    const expiredAt = new Date((now + 100) * 1000).toISOString();
    await expect(aged(101)).rejects.toMatchObject({ message: 'jwt expired', data: { name: 'TokenExpiredError', expiredAt } });
    expect(await aged(130, 30)).toMatchObject({ jti: 'x' });
    await expect(aged(131, 30)).rejects.toMatchObject({ message: 'jwt expired' });
    await expect(aged(161, 1000)).rejects.toMatchObject({ message: 'jwt expired' });
  });

  it('S18 a clock that is ahead by a minute is taken, by more it is not', async () => {
    const token = await signed({ iat: now + 60, exp: now + 1000, jti: 'x' });
    expect(await verifyToken(token, at(now), { secret })).toMatchObject({ jti: 'x' });
    await expect(verifyToken(token, at(now - 1), { secret })).rejects.toMatchObject({ code: 401 });
  });

  it('the reason is kept for the log and not sent', async () => {
    const failed = await verifyToken('a.b.c', HS, { secret }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } });
    expect(failed).toHaveProperty('cause', expect.any(Error));
    expect(JSON.stringify(failed)).not.toContain('cause');
  });

  it.each([
    ['longer than any', () => `a.${'b'.repeat(16_381)}.c`],
    ['of four parts', () => 'a.b.c.d'],
    ['with padding', () => 'a.b.c='],
  ])('S17 a text that is %s is not looked into', async (_, token) => {
    const failed: unknown = await verifyToken(token(), HS, { secret }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } });
    expect((failed as Error).cause).toBeUndefined();
  });

  it('audiences and issuers may be several, of which one has to fit', async () => {
    const options = { ...HS, audience: ['web', 'app'], issuer: ['me', 'my brother'] };
    const token = await createToken({}, options, secret);
    expect(await verifyToken(token, options, { secret })).toMatchObject({ aud: ['web', 'app'], iss: 'me' });
    expect(await verifyToken(token, { ...HS, audience: 'app', issuer: 'me' }, { secret })).toHaveProperty('jti');
    for (const other of [{ audience: 'other' }, { audience: ['a', 'b'] }, { issuer: 'my brother' }, { issuer: ['x'] }])
      await expect(verifyToken(token, { ...HS, ...other }, { secret })).rejects.toMatchObject({ code: 401 });
  });

  it('what is not set is not in the token', async () => {
    const claims = await verifyToken(await createToken({}, { algorithm: 'HS256' }, secret), { algorithm: 'HS256' }, { secret });
    expect(Object.keys(claims).sort()).toEqual(['iat', 'jti']);
  });
});

it.each([undefined, 'none', 'HS1', [], ['RS1']])('a token can not be made with the algorithm %p', async (algorithm) => {
  const made = createToken({}, { algorithm } as never, text());
  await expect(made).rejects.toThrow('"algorithm" must be one of HS256, HS384, HS512, RS256');
});

import { createSecretKey, createHmac, generateKeyPairSync, sign as cryptoSign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, exportJWK, jwtVerify, type JWK } from 'jose';
import { JwksService } from '../src/index.ts';
import { importKey } from '../src/tokens/keys.ts';
import { createApp, SECRET } from './harness.ts';

const base64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const now = (): number => Math.floor(Date.now() / 1000);
const header = { alg: 'HS256', typ: 'access' };
const payload = (): Record<string, unknown> => ({
  sub: '1',
  iat: now(),
  exp: now() + 60,
  jti: 'x',
  aud: 'https://yourdomain.com',
  iss: 'framework',
});
const hmac = (head: unknown, body: unknown, key: string | Buffer = SECRET, hash = 'sha256'): string => {
  const input = `${base64(head)}.${base64(body)}`;
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;
};

const { service } = createApp();
const refused = async (token: unknown): Promise<void> => {
  await expect(service.verifyAccessToken(token as string)).rejects.toMatchObject({ name: 'NotAuthenticated', code: 401 });
};

describe('forged tokens', () => {
  it('a sound one is accepted, so that the others fail for their own reason', async () => {
    await expect(service.verifyAccessToken(hmac(header, payload()))).resolves.toMatchObject({ sub: '1' });
  });

  it.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    'noNE',
    'HS',
    '',
    'hs256',
    'HS256 ',
    'HS384',
    'HS512',
    'RS256',
    'ES256',
    'PS256',
    'EdDSA',
    'A128KW',
    'dir',
  ])('S15 algorithm %p', async (alg) => {
    const head = { ...header, alg };
    await refused(`${base64(head)}.${base64(payload())}.`);
    await refused(hmac(head, payload()));
  });

  it('S15 a public key as the secret of an HMAC', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const rsa = createApp({ secret: pem, jwtOptions: { algorithm: 'RS256' } }).service;
    await expect(rsa.verifyAccessToken(hmac(header, payload(), pem))).rejects.toMatchObject({ code: 401 });
    await expect(rsa.verifyAccessToken(hmac({ ...header, alg: 'RS256' }, payload(), pem))).rejects.toMatchObject({ code: 401 });
    const input = `${base64({ ...header, alg: 'RS256' })}.${base64(payload())}`;
    const signed = `${input}.${cryptoSign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    await expect(rsa.verifyAccessToken(signed)).resolves.toMatchObject({ sub: '1' });
    await expect(createApp({ secret: pem }).service.createAccessToken({})).rejects.toThrow('HS algorithm needs a secret, not a key pair');
  });

  it('S15 signatures that are stripped, empty, cut, changed or of another secret', async () => {
    const token = hmac(header, payload());
    const [head, body, signature] = token.split('.') as [string, string, string];
    for (const bad of [
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}.${body}.${signature.slice(0, -2)}`,
      `${head}.${body}.AAAA`,
      `${head}.${base64({ ...payload(), sub: '2' })}.${signature}`,
      `.${body}.${signature}`,
      `${head}..${signature}`,
      `${token}.extra`,
      `${token}=`,
      ` ${token}`,
    ])
      await refused(bad);
    await refused(hmac(header, payload(), 'another secret that is long enough'));
    await refused(hmac(header, payload(), ''));
  });

  it.each([undefined, null, 5, {}, [], '', 'x', 'a.b', 'a.b.c', '..', 'x'.repeat(20_000), '\0.\0.\0'])(
    'S18 %p in place of a token',
    refused,
  );

  it('S17 keys that the token brings along', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    for (const extra of [
      { jwk },
      { jku: 'http://127.0.0.1:9/keys' },
      { x5u: 'http://127.0.0.1:9/cert' },
      { kid: '../../secret' },
      { kid: 'foreign' },
    ]) {
      const input = `${base64({ alg: 'ES256', typ: 'access', ...extra })}.${base64(payload())}`;
      await refused(
        `${input}.${cryptoSign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
      );
    }
  });

  it.each([[['unknown']], [['b64']], ['exp'], [[]]])('S17 crit %p', async (crit) => {
    await refused(hmac({ ...header, crit, unknown: 1 }, payload()));
  });

  it.each([[{ typ: 'refresh' }], [{ typ: 'JWT' }], [{ typ: undefined }], [{ typ: 'ACCESS' }], [{ typ: 'at+jwt' }]])(
    'S18 a token of another kind: %p',
    async (change) => {
      await refused(hmac({ ...header, ...change }, payload()));
    },
  );

  it.each([
    [{ exp: undefined }],
    [{ iat: undefined }],
    [{ jti: undefined }],
    [{ exp: 1 }],
    [{ exp: '9999999999' }],
    [{ exp: now() + 60.5 }],
    [{ exp: 1e300 }],
    [{ exp: 253_402_300_800 }],
    [{ exp: -1 }],
    [{ exp: null }],
    [{ exp: {} }],
    [{ exp: true }],
    [{ nbf: now() + 1000 }],
    [{ nbf: '0' }],
    [{ nbf: 0.5 }],
    [{ iat: 'yesterday' }],
    [{ iat: now() + 10_000 }],
    [{ iat: 1.5 }],
    [{ aud: 'https://elsewhere.example' }],
    [{ aud: undefined }],
    [{ aud: [] }],
    [{ iss: 'someone' }],
    [{ iss: undefined }],
  ])('S18 claims %j', async (change) => {
    await refused(hmac(header, { ...payload(), ...change }));
  });

  it('S18 contents that are no object', async () => {
    for (const body of ['5', '[]', 'null', '"text"', '{', '']) await refused(hmac(header, body));
  });

  it('says nothing of what the token holds', async () => {
    const error = await service
      .verifyAccessToken(hmac(header, { ...payload(), secretClaim: 'hush', aud: 'x' }))
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).not.toContain('hush');
  });
});

describe('options', () => {
  it('expired tokens say so', async () => {
    await expect(service.verifyAccessToken(hmac(header, { ...payload(), iat: now() - 100, exp: now() - 10 }))).rejects.toMatchObject({
      message: 'jwt expired',
      data: { name: 'TokenExpiredError' },
    });
  });

  it('clock tolerance is honoured up to 60 seconds', async () => {
    const old = (seconds: number): string => hmac(header, { ...payload(), iat: now() - 1000, exp: now() - seconds });
    await expect(service.verifyAccessToken(old(30), { clockTolerance: 45 })).resolves.toMatchObject({ sub: '1' });
    await expect(service.verifyAccessToken(old(120), { clockTolerance: 10_000 })).rejects.toMatchObject({ code: 401 });
  });

  it('an age limit is honoured', async () => {
    const token = hmac(header, { ...payload(), iat: now() - 1000 });
    await expect(service.verifyAccessToken(token, { maxAge: '10m' })).rejects.toMatchObject({ code: 401 });
    await expect(service.verifyAccessToken(token, { maxAge: '1h' })).resolves.toBeDefined();
  });

  it('a wrong algorithm fails to create', async () => {
    await expect(service.createAccessToken({}, { algorithm: 'none' })).rejects.toThrow('"algorithm" must be one of');
    await expect(service.createAccessToken({}, { expiresIn: 'soon' })).rejects.toThrow("'soon' is no length of time");
  });

  it.each([
    ['RS256', 'rsa', { modulusLength: 2048 }],
    ['PS256', 'rsa', { modulusLength: 2048 }],
    ['ES256', 'ec', { namedCurve: 'P-256' }],
    ['EdDSA', 'ed25519', {}],
  ] as const)('%s keys sign and verify, as PEM, JWK and KeyObject', async (algorithm, kind, options) => {
    const { privateKey } = generateKeyPairSync(kind as 'rsa', options as { modulusLength: number });
    const jwk = await exportJWK(privateKey);
    for (const secret of [privateKey.export({ type: 'pkcs8', format: 'pem' }), jwk, privateKey]) {
      const { service: other } = createApp({ secret, jwtOptions: { algorithm } });
      const token = await other.createAccessToken({ a: 1 });
      await expect(other.verifyAccessToken(token)).resolves.toMatchObject({ a: 1 });
    }
  });

  it('S17 the key that signs is known by the name that the option `header` gives it', async () => {
    const keys = [{ kid: '1', secret: `${SECRET}-old` }];
    const { app, service } = createApp({ jwtOptions: { header: { typ: 'access', kid: '2' } }, keys });
    const token = await service.createAccessToken({ mark: 1 });
    expect(decodeProtectedHeader(token).kid).toBe('2');
    await expect(service.verifyAccessToken(token)).resolves.toMatchObject({ mark: 1 });
    app.set('authentication', {
      ...(app.get('authentication') as object),
      jwtOptions: { keyid: '3', header: { typ: 'access', kid: '2' } },
    });
    const named = await service.createAccessToken({ mark: 2 });
    expect(decodeProtectedHeader(named).kid).toBe('3');
    await expect(service.verifyAccessToken(named)).resolves.toMatchObject({ mark: 2 });
    await expect(service.verifyAccessToken(token)).rejects.toMatchObject({ code: 401 });
  });

  it('S17 keys are rotated by kid from the configuration', async () => {
    const old = createApp({ secret: `${SECRET}-old`, jwtOptions: { keyid: '1' } }).service;
    const token = await old.createAccessToken({ a: 1 });
    const { service: rotated } = createApp({ jwtOptions: { keyid: '2' }, keys: [{ kid: '1', secret: `${SECRET}-old` }] });
    await expect(rotated.verifyAccessToken(token)).resolves.toMatchObject({ a: 1 });
    await expect(rotated.verifyAccessToken(await rotated.createAccessToken({ b: 1 }))).resolves.toMatchObject({ b: 1 });
    const { service: without } = createApp({ jwtOptions: { keyid: '2' } });
    await expect(without.verifyAccessToken(token)).rejects.toMatchObject({ code: 401 });
  });

  it('S48 token ids are random', async () => {
    const ids = new Set<unknown>();
    for (let round = 0; round < 50; round++) ids.add((await service.verifyAccessToken(await service.createAccessToken({}))).jti);
    expect(ids.size).toBe(50);
  });

  it('a verified token is known until its end, and not after another secret is set', async () => {
    const { app, service: other } = createApp();
    const token = await other.createAccessToken({}, { expiresIn: 3 });
    const { exp } = (await other.verifyAccessToken(token)) as { readonly exp: number };
    await expect(other.verifyAccessToken(token)).resolves.toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, exp * 1000 - Date.now() + 50));
    await expect(other.verifyAccessToken(token)).rejects.toMatchObject({ message: 'jwt expired' });
    const lasting = await other.createAccessToken({});
    await other.verifyAccessToken(lasting);
    app.set('authentication', { ...(app.get('authentication') as object), secret: `${SECRET}-new` });
    await expect(other.verifyAccessToken(lasting)).rejects.toMatchObject({ code: 401 });
  });
});

describe('vectors of the standards', () => {
  // The claims of RFC 7519 3.1: made by "joe", and expired in 2011.
  const claims = 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
  const vectors: [name: string, algorithm: string, token: string, key: object][] = [
    [
      'RFC 7515 A.1 and RFC 7519 3.1',
      'HS256',
      `eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.${claims}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
      { kty: 'oct', k: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow' },
    ],
    [
      'RFC 7515 A.3',
      'ES256',
      `eyJhbGciOiJFUzI1NiJ9.${claims}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
      { kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' },
    ],
    [
      'RFC 8037 A.4',
      'EdDSA',
      'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
      { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    ],
  ];

  it.each(vectors)(
    '%s: its signature is right, a changed one is not, and its claims do not make it valid today',
    async (_name, algorithm, token, key) => {
      const imported = importKey(key, algorithm, 'verify');
      await expect(compactVerify(token, imported)).resolves.toMatchObject({ protectedHeader: { alg: algorithm } });
      const changed = `${token.slice(0, -10)}${token.at(-10) === 'A' ? 'B' : 'A'}${token.slice(-9)}`;
      await expect(compactVerify(changed, imported)).rejects.toThrow();
      const options = { algorithm, issuer: 'joe' };
      await expect(service.verifyAccessToken(token, options, key)).rejects.toMatchObject({ code: 401 });
    },
  );

  it('RFC 7519 6.1: an unsecured token is refused', async () => {
    await refused(`eyJhbGciOiJub25lIn0.${claims}.`);
  });
});

describe('JwksService', () => {
  it('shows public keys alone, with their ids, to caches too', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const old = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [
      { kid: '1', secret: old.publicKey, algorithm: 'ES256' },
      { kid: '0', secret: SECRET, algorithm: 'HS256' },
    ];
    const { app, service: signer } = createApp({ secret: privateKey, jwtOptions: { algorithm: 'EdDSA', keyid: '2' }, keys });
    app.use('.well-known/jwks.json', new JwksService(app));
    await app.setup();
    const found = (await app.service('.well-known/jwks.json').find()) as { keys: JWK[] };
    expect(found.keys.map(({ kid, alg, use }) => [kid, alg, use])).toEqual([
      ['2', 'EdDSA', 'sig'],
      ['1', 'ES256', 'sig'],
    ]);
    for (const key of found.keys) expect(Object.keys(key)).not.toContain('d');
    expect(JSON.stringify(found)).not.toContain(SECRET);
    // Somebody else verifies a token with nothing but these keys.
    const token = await signer.createAccessToken({ a: 1 });
    await expect(jwtVerify(token, createLocalJWKSet(found))).resolves.toMatchObject({ payload: { a: 1 } });
    expect(await createApp().service.createAccessToken({})).toBeDefined();
  });

  it('takes the algorithm of the tokens where a key has none, as verifying does', async () => {
    const [{ privateKey }, old] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const keys = [{ kid: '1', secret: old.publicKey, algorithm: undefined }];
    const { app } = createApp({ secret: privateKey, jwtOptions: { algorithm: 'EdDSA' }, keys: keys as never });
    expect((await new JwksService(app).find()).keys.map(({ kid, alg }) => [kid, alg])).toEqual([
      [undefined, 'EdDSA'],
      ['1', 'EdDSA'],
    ]);
  });

  it('shows no secret of which the algorithm is not told, after a change to key pairs while the application runs', async () => {
    const { app } = createApp();
    const former = createSecretKey(Buffer.from(SECRET));
    app.set('authentication', {
      ...(app.get('authentication') as object),
      secret: generateKeyPairSync('ed25519').privateKey,
      jwtOptions: { algorithm: 'EdDSA', keyid: '2' },
      keys: [{ kid: '1', secret: former }],
    });
    expect((await new JwksService(app).find()).keys.map(({ kid, kty }) => [kid, kty])).toEqual([['2', 'OKP']]);
  });

  it('is empty for symmetric secrets', async () => {
    const { app } = createApp();
    expect(await new JwksService(app).find()).toEqual({ keys: [] });
  });
});

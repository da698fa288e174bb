import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import { createApp, SECRET } from '../harness.ts';

const refusal = { code: 401 };

describe('token options (interface 4.2)', () => {
  it('S15 `algorithms` narrows what is accepted, and never adds to it', async () => {
    const { service } = createApp();
    const token = await service.createAccessToken({});
    await expect(service.verifyAccessToken(token, { algorithms: ['HS512'] })).rejects.toMatchObject(refusal);
    await expect(service.verifyAccessToken(token, { algorithms: ['HS512', 'HS256'] })).resolves.toBeDefined();
    const strong = await service.createAccessToken({}, { algorithm: 'HS512' });
    await expect(service.verifyAccessToken(strong, { algorithms: ['HS512'] })).rejects.toMatchObject(refusal);
    const narrow = createApp({ jwtOptions: { algorithm: ['HS512', 'HS256'], algorithms: ['HS512'] } }).service;
    await expect(narrow.verifyAccessToken(token)).rejects.toMatchObject(refusal);
    await expect(narrow.verifyAccessToken(await narrow.createAccessToken({}))).resolves.toBeDefined();
  });

  it('S18 `maxAge` counts for tokens that were verified before, too', async () => {
    const { service } = createApp({ jwtOptions: { maxAge: '10m' } });
    const token = await service.createAccessToken({});
    await service.verifyAccessToken(token);
    const later = Date.now() + 11 * 60_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    try {
      await expect(service.verifyAccessToken(token)).rejects.toMatchObject({ ...refusal, message: 'jwt expired' });
    } finally {
      clock.mockRestore();
    }
  });

  it('S18 a token of a process whose clock is ahead by less than a minute is accepted', async () => {
    const { service } = createApp({ jwtOptions: { maxAge: '1h' } });
    const ahead = (seconds: number) => service.createAccessToken({ iat: Math.floor(Date.now() / 1000) + seconds });
    await expect(service.verifyAccessToken(await ahead(55))).resolves.toBeDefined();
    await expect(service.verifyAccessToken(await ahead(90))).rejects.toMatchObject(refusal);
  });

  it.each<[object, object, string]>([
    [{ exp: 9_999_999_999 }, {}, "'exp' in the payload would not count: it is decided by the token option 'expiresIn'"],
    [{ exp: 9_999_999_999 }, { expiresIn: 60 }, "'expiresIn'"],
    [{ nbf: 1 }, { notBefore: 60 }, "'notBefore'"],
    [{ aud: 'other' }, {}, "'audience'"],
    [{ iss: 'other' }, {}, "'issuer'"],
    [{ sub: '2' }, { subject: '1' }, "'subject'"],
    [{ jti: 'own' }, {}, "'jwtid'"],
    [{ jti: 'own' }, { jwtid: 'other' }, "'jwtid'"],
    [{ exp: 'soon' }, {}, "'exp' in the payload must be seconds since 1970"],
    [{ nbf: '1' }, {}, "'nbf' in the payload must be"],
    [{ iat: null }, {}, "'iat' in the payload must be"],
  ])('a payload with %j is refused where options are %j: it would not count', async (payload, options, message) => {
    const { service } = createApp();
    await expect(service.createAccessToken({ ...payload }, options)).rejects.toThrow(message);
  });

  it.each<[unknown, string]>([
    ['admin', 'a string'],
    [5, 'a number'],
    [false, 'a boolean'],
    [['admin'], 'a list'],
    [new Map([['role', 'admin']]), 'a list'],
  ])('a payload that is no object of claims is refused, also for a login: %j', async (payload, kind) => {
    const { service } = createApp();
    const refused = new TypeError(`The payload of a token is an object of claims, such as { role: 'editor' }, and not ${kind}`);
    await expect(service.createAccessToken(payload as never)).rejects.toThrow(refused);
    service.register('own', { authenticate: async () => Promise.resolve({}) });
    const login = service.create({ strategy: 'own' }, { payload, authStrategies: ['own'] } as never);
    await expect(login).rejects.toThrow(refused);
  });

  it('a payload that is not there is refused for a token, and none for a login', async () => {
    const { service } = createApp();
    for (const payload of [undefined, null])
      await expect(service.createAccessToken(payload as never)).rejects.toThrow(`and not ${String(payload)}`);
    service.register('own', { authenticate: async () => Promise.resolve({}) });
    service.getPayload = async () => Promise.resolve(undefined as never);
    expect(await service.create({ strategy: 'own' }, { authStrategies: ['own'] })).toHaveProperty('accessToken');
  });

  it('a payload may have claims that no option decides, and those that one decides as they are', async () => {
    const { service } = createApp();
    const audience = ['a', 'b'];
    const payload = { sub: '1', aud: audience, iss: 'framework', jti: 'own', exp: undefined, nbf: 5, role: 'x' };
    const token = await service.createAccessToken(payload, { audience, issuer: ['framework', 'other'], jwtid: 'own' });
    const { exp, ...claims } = decodeJwt(token);
    expect(claims).toEqual({ sub: '1', aud: audience, iss: 'framework', jti: 'own', nbf: 5, role: 'x', iat: Number(exp) - 86_400 });
  });

  it('`jwtid`, `subject`, `nonce` and `issuer` are what a token must have', async () => {
    const { service } = createApp();
    const token = await service.createAccessToken({ nonce: 'n' }, { jwtid: 'a', subject: 's' });
    for (const options of [{ jwtid: 'a' }, { subject: 's' }, { nonce: 'n' }, { issuer: ['other', 'framework'] }])
      await expect(service.verifyAccessToken(token, options)).resolves.toMatchObject({ jti: 'a' });
    for (const options of [{ jwtid: 'b' }, { subject: 't' }, { nonce: 'm' }, { issuer: 'other' }, { clockTimestamp: 9_999_999_999 }])
      await expect(service.verifyAccessToken(token, options)).rejects.toMatchObject(refusal);
    expect(decodeJwt(token).iss).toBe('framework');
  });

  it.each([
    [
      { ignoreExpiration: true },
      "'authentication.jwtOptions.ignoreExpiration' is not supported: tokens that have ended are never accepted",
    ],
    [{ noTimestamp: true }, "'authentication.jwtOptions.noTimestamp' is not supported"],
    [{ complete: true }, "'authentication.jwtOptions.complete' is not supported"],
    [{ allowInsecureKeySizes: true }, "'authentication.jwtOptions.allowInsecureKeySizes' is not supported"],
    [{ expires: '1d' }, "'authentication.jwtOptions.expires' is no token option"],
    [{ constructor: 1 }, undefined],
    [{ audience: /./ }, 'authentication.jwtOptions: "audience" must be a text or a list of texts'],
    [{ algorithm: 'none' }, 'authentication.jwtOptions: "algorithm" must be one of'],
    [{ expiresIn: 'soon' }, "'soon' is no length of time"],
    [{ clockTolerance: 61 }, "'authentication.jwtOptions.clockTolerance' must be 0 to 60 seconds"],
    [
      { header: { typ: 'access', crit: ['exp'] } },
      "'authentication.jwtOptions.header.crit' is not supported: no extension is understood, and what says that it must be is refused",
    ],
    [{ header: { alg: 'none' } }, "'authentication.jwtOptions.header.alg' is not supported: a token is signed by the option 'algorithm'"],
    [{ header: { b64: false } }, "'authentication.jwtOptions.header.b64' is not supported: payloads are Base64"],
    [{ header: { kid: 2 } }, 'authentication.jwtOptions.header: "kid" must be a text'],
    [{ header: { typ: '' } }, 'authentication.jwtOptions.header: "typ" must be a text'],
    [{ header: { typ: 'access', kid: '2', crit: undefined, cty: 'text', constructor: 1 } }, undefined],
    [{ jwtid: 'always' }, "'authentication.jwtOptions.jwtid' is for one token"],
  ])('%p is refused at start, by name', async (jwtOptions, message) => {
    const { app } = createApp({ jwtOptions: jwtOptions as never });
    if (message === undefined) await expect(app.setup()).resolves.toBeDefined();
    else await expect(app.setup()).rejects.toThrow(message);
  });

  it('and in a call', async () => {
    const { service } = createApp();
    const token = await service.createAccessToken({});
    await expect(service.verifyAccessToken(token, { ignoreExpiration: true } as never)).rejects.toThrow("'options.ignoreExpiration'");
    await expect(service.createAccessToken({}, { expires: 1 } as never)).rejects.toThrow("'options.expires' is no token option");
  });
});

describe('keys', () => {
  it('S17 a rotation that starts from tokens without `kid` logs nobody out', async () => {
    const before = createApp({ secret: `${SECRET}-old` }).service;
    const token = await before.createAccessToken({ a: 1 });
    const { service } = createApp({ jwtOptions: { keyid: '2' }, keys: [{ kid: '1', secret: `${SECRET}-old` }] });
    await expect(service.verifyAccessToken(token)).resolves.toMatchObject({ a: 1 });
    await expect(service.verifyAccessToken(await service.createAccessToken({ b: 1 }))).resolves.toMatchObject({ b: 1 });
    const foreign = await createApp({ secret: `${SECRET}-foreign` }).service.createAccessToken({});
    await expect(service.verifyAccessToken(foreign)).rejects.toMatchObject(refusal);
    const ended = await before.createAccessToken({}, { expiresIn: -10 });
    await expect(service.verifyAccessToken(ended)).rejects.toMatchObject({ message: 'jwt expired' });
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  it.each([
    ['a short further key', { keys: [{ kid: '1', secret: 'short' }] }, "'authentication.keys[0].secret' has 5 bytes"],
    ['a simple further key', { keys: [{ kid: '1', secret: 'a'.repeat(64) }] }, "'authentication.keys[0].secret' is easy to guess"],
    ['a further key without a name', { keys: [{ secret: SECRET }] }, "'authentication.keys[0].kid' must be a text"],
    [
      'two keys of one name',
      { keys: [1, 2].map(() => ({ kid: '1', secret: SECRET })) },
      "'authentication.keys[1].kid' is the name of another",
    ],
    ['a short secret as a JWK', { secret: { kty: 'oct', k: 'c2hvcnQ' } }, "'authentication.secret' has 5 bytes"],
    ['a short RSA key', { secret: weak, jwtOptions: { algorithm: 'RS256' } }, 'an RSA key of 1024 bits'],
    [
      'a secret that is no key of its algorithm',
      { jwtOptions: { algorithm: 'ES256' } },
      'The secret is no public or private key for ES256',
    ],
  ])('S16 refuses %s at start', async (_what, options, message) => {
    await expect(createApp(options as never).app.setup()).rejects.toThrow(message);
  });
});

import { createHmac, createSecretKey } from 'node:crypto';
import { Random, Variety } from '@framework-internal/testing';
import { expect, it } from '@jest/globals';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { isPlainHmac, verifyHmac } from '../../src/tokens/hmac.ts';
import { verifyToken } from '../../src/tokens/verify-token.ts';
import { randomToken, type RandomToken } from './random-token.ts';

const COUNT = Number(process.env.TOKENS ?? 2000);
const SEED = Number(process.env.TOKENS_SEED ?? 20_261_122);

/** Three parts in the alphabet, which is asked before. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function headerOf(token: string): { alg?: unknown; crit?: unknown } | undefined {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

/** What comes of a verification, with the words that callers can tell apart. */
async function verdict(verify: () => unknown): Promise<string> {
  try {
    return `accepted ${JSON.stringify(await verify())}`;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return `expired ${JSON.stringify(error.payload)}`;
    if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim} ${error.reason}`;
    return 'refused';
  }
}

const byJose = ({ token, key, algorithms, options }: RandomToken) =>
  verdict(async () => (await jwtVerify(token, key, { ...options, algorithms })).payload);

it(`S15 S17 S18 gives ${COUNT} random tokens the verdict of jose`, async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  for (let index = 0; index < COUNT; index++) {
    const made = randomToken(random);
    const { token, key, algorithms, options, broken } = made;
    variety.tried(token);
    const expected = await byJose(made);
    variety.took(`${broken} ${expected.split(' ', 1)[0] as string}`);
    const header = COMPACT.test(token) ? headerOf(token) : undefined;
    if (header === undefined || !isPlainHmac(header) || !algorithms.includes(String(header.alg))) continue;
    variety.took('plain');
    const given = await verdict(() => verifyHmac(token, String(header.alg), key, options));
    expect({ seed: SEED, index, token, verdict: given }).toEqual({ seed: SEED, index, token, verdict: expected });
  }
  console.info(variety.report('tokens', SEED));
  const share = COUNT / 6000;
  const least = (count: number): number => Math.floor(count * share);
  variety.expect(least(5800), {
    plain: least(3500),
    'sound accepted': least(150),
    'sound claim': least(100),
    'sound expired': least(5),
    'claim accepted': least(80),
    'claim claim': least(150),
    'algorithm refused': least(300),
    'extension accepted': least(20),
    'extension refused': least(100),
    'header refused': least(100),
    'header accepted': least(15),
    'payload refused': least(100),
    'payload accepted': least(15),
    'signature refused': least(300),
    'signature accepted': least(5),
    'text refused': least(100),
    'key refused': least(100),
  });
});

it(`S15 S17 S18 accepts of ${COUNT} random tokens those that jose accepts and whose times and type are right`, async () => {
  const random = new Random(SEED + 1);
  const variety = new Variety();
  for (let index = 0; index < COUNT; index++) {
    const made = randomToken(random);
    const { token, key, algorithms, options } = made;
    const currentDate = made.options.currentDate.getTime() / 1000;
    const { audience, issuer, subject, clockTolerance } = options;
    const given = await verifyToken(
      token,
      {
        algorithm: algorithms,
        clockTimestamp: Math.floor(currentDate),
        clockTolerance: Number(clockTolerance),
        header: { typ: 'access' },
        ...(audience === undefined ? {} : { audience: audience as string }),
        ...(issuer === undefined ? {} : { issuer: issuer as string }),
        ...(subject === undefined ? {} : { subject }),
      },
      { secret: key },
    ).then(
      (payload) => `accepted ${JSON.stringify(payload)}`,
      (error: unknown) => {
        const { code, data } = error as { code: number; data: { name: string } };
        return `${code} ${data.name}`;
      },
    );
    const expected = await byJose({ ...made, options: { ...options, requiredClaims: ['iat', 'jti'] } });
    const accepted = expected.startsWith('accepted') && isOurs(token, expected, currentDate);
    const wanted = accepted
      ? expected
      : `401 ${expected.startsWith('expired') && COMPACT.test(token) ? 'TokenExpiredError' : 'JsonWebTokenError'}`;
    variety.tried(token);
    variety.took(wanted.split(' ', 1)[0] as string);
    expect({ seed: SEED + 1, index, token, verdict: given }).toEqual({ seed: SEED + 1, index, token, verdict: wanted });
  }
  console.info(variety.report('access tokens', SEED + 1));
  variety.expect(Math.floor(COUNT * 0.95), { accepted: Math.floor(COUNT / 200), '401': Math.floor(COUNT / 2) });
});

/** What is asked of access tokens beside what jose asks. */
function isOurs(token: string, expected: string, now: number): boolean {
  const { iat, exp, nbf } = JSON.parse(expected.slice('accepted '.length)) as Record<string, number | undefined>;
  const times = [iat, exp, nbf].every((time) => time === undefined || (Number.isSafeInteger(time) && time >= 0 && time < 253_402_300_800));
  return COMPACT.test(token) && decodeProtectedHeader(token).typ === 'access' && times && (iat ?? 0) <= Math.floor(now) + 60;
}

it('S15 refuses an empty secret, as web crypto does, and signatures whose length is another', () => {
  const [header, claims] = ['{"alg":"HS384"}', '{"iat":1,"jti":"a"}'].map((text) => Buffer.from(text).toString('base64url'));
  const signed = (key: string): string => createHmac('sha384', key).update(`${header}.${claims}`).digest('base64url');
  const verify = (token: string, key: string): unknown => verifyHmac(token, 'HS384', createSecretKey(Buffer.from(key)), {});
  expect(verify(`${header}.${claims}.${signed('key')}`, 'key')).toEqual({ iat: 1, jti: 'a' });
  expect(() => verify(`${header}.${claims}.${signed('')}`, '')).toThrow(errors.JWSSignatureVerificationFailed);
  expect(() => verify(`${header}.${claims}.${signed('key')}A`, 'key')).toThrow(errors.JWSSignatureVerificationFailed);
});

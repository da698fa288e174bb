import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { JWTVerifyOptions } from 'jose';
import type { Random } from '@framework-internal/testing';

/** A token, sound or broken somewhere, and what it is verified with. */
export interface RandomToken {
  readonly token: string;
  readonly key: KeyObject;
  readonly algorithms: string[];
  /** With the time that it is verified at. */
  readonly options: JWTVerifyOptions & { readonly currentDate: Date };
  /** What was done to it; `sound` for nothing. */
  readonly broken: string;
}

const NOW = 1_700_000_000;
const HASHES = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;
const NAMES = Object.keys(HASHES) as (keyof typeof HASHES)[];
const ODD_ALGORITHMS: readonly unknown[] = ['none', 'hs256', 'HS256 ', 'RS256', 'A128KW', '', 'constructor', 1, null, ['HS256'], undefined];
const ODD_VALUES: readonly unknown[] = [null, true, '', '1', [], ['api'], {}, -1, 0.5, 1e300, 'api', ['api', 'web'], [1]];

/** @returns a token, most of them broken in one place */
export function randomToken(random: Random): RandomToken {
  const name = random.pick(NAMES);
  const broken = random.pick([
    'sound',
    'sound',
    'algorithm',
    'extension',
    'header',
    'claim',
    'claim',
    'payload',
    'signature',
    'text',
    'key',
  ]);
  const key = createSecretKey(Buffer.from(secretOf(random, random.pick([0, 1, 31, 32, 64, 200]), broken === 'key')));
  const header = encoded(headerText(random, name, broken));
  const payload = encoded(payloadText(random, broken));
  const input = `${broken === 'text' ? spoilt(random, header) : header}.${broken === 'text' ? spoilt(random, payload) : payload}`;
  const other = createSecretKey(Buffer.from('another secret'));
  const hash = HASHES[broken === 'key' && random.oneIn(3) ? random.pick(NAMES) : name];
  const bytes = createHmac(hash, broken === 'key' && random.oneIn(2) ? other : key)
    .update(input)
    .digest();
  const signature = broken === 'signature' ? changed(random, bytes) : bytes.toString('base64url');
  return { token: `${input}.${signature}`, key, algorithms: allowed(random, name), options: optionsOf(random), broken };
}

function secretOf(random: Random, length: number, empty: boolean): Uint8Array {
  return Uint8Array.from({ length: empty ? length : Math.max(1, length) }, () => random.below(256));
}

function encoded(text: string | Buffer): string {
  return Buffer.from(text as string).toString('base64url');
}

function allowed(random: Random, name: string): string[] {
  return random.oneIn(8) ? [random.pick(NAMES)] : [random.pick(NAMES), name];
}

function headerText(random: Random, name: string, broken: string): string | Buffer {
  const header: Record<string, unknown> = { alg: name };
  if (random.oneIn(2)) header.typ = random.pick(['access', 'JWT', 1]);
  if (random.oneIn(3)) header.kid = random.pick(['a', 'b', 7, null]);
  if (broken === 'algorithm') header.alg = random.pick(ODD_ALGORITHMS);
  if (broken === 'extension') {
    if (!random.oneIn(4)) header.crit = random.pick([[], ['b64'], ['exp'], ['b64', 'b64'], 'b64', null, [1], ['']]);
    header.b64 = random.pick([true, false, null, 'true']);
  }
  const text = JSON.stringify(header);
  return broken === 'header' ? odd(random, text) : text;
}

function payloadText(random: Random, broken: string): string | Buffer {
  const claims: Record<string, unknown> = {
    sub: '1',
    jti: String(random.below(1e6)),
    iat: NOW - random.below(200),
    exp: NOW + random.below(200) - 30,
  };
  if (random.oneIn(2)) claims.aud = random.pick<unknown>(['api', 'web', ['web', 'api'], []]);
  if (random.oneIn(2)) claims.iss = random.pick(['framework', 'other']);
  if (random.oneIn(4)) claims.nbf = NOW + random.below(200) - 150;
  if (broken === 'claim') {
    const claim = random.pick(['exp', 'nbf', 'iat', 'aud', 'iss', 'sub', 'jti']);
    if (random.oneIn(4)) Reflect.deleteProperty(claims, claim);
    else claims[claim] = random.oneIn(2) ? NOW + random.below(400) - 200 : random.pick(ODD_VALUES);
  }
  const text = JSON.stringify(claims);
  return broken === 'payload' ? odd(random, text) : text;
}

/** JSON that is none, or none of an object, or written in another way. */
function odd(random: Random, text: string): string | Buffer {
  return random.pick<() => string | Buffer>([
    () => text.slice(0, random.below(text.length)),
    () => `${text}x`,
    () => ` ${text}\n`,
    () => `\ufeff${text}`,
    () => `[${text}]`,
    () => random.pick(['null', '1', '"text"', '', '{}', '[]']),
    () => text.replace('{', '{"alg":"HS384","exp":1,'),
    () => text.replace('}', ',"alg":"none","exp":1}'),
    () => text.replace('{', '{"__proto__":{"alg":"HS256"},'),
    () => Buffer.concat([Buffer.from(text.replace('}', ',"x":"')), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]),
    () => Buffer.concat([Buffer.from(text), Buffer.from([random.below(256)])]),
  ])();
}

/** One part in letters that decode to something else, or to nothing. */
function spoilt(random: Random, part: string): string {
  const at = random.below(part.length + 1);
  const letter = random.pick(['A', 'x', '-', '_', '+', '/', '=', ' ', '\n', 'é', '.', '']);
  return part.slice(0, at) + letter + part.slice(at + random.below(2));
}

function changed(random: Random, bytes: Buffer): string {
  const text = bytes.toString('base64url');
  const flipped = Buffer.from(bytes);
  flipped[random.below(bytes.length)]! ^= 1 << random.below(8);
  return random.pick<() => string>([
    () => flipped.toString('base64url'),
    // Its last letter stands for some bits that belong to no byte.
    () => text.slice(0, -1) + random.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']),
    () => text.slice(0, random.below(text.length)),
    () => text + random.pick(['A', 'AA', 'AAA', 'AAAA', '=', '==']),
    () => bytes.toString('base64'),
    () => spoilt(random, text),
    () => Buffer.alloc(bytes.length).toString('base64url'),
    () => bytes.subarray(0, random.below(bytes.length)).toString('base64url'),
  ])();
}

function optionsOf(random: Random): RandomToken['options'] {
  return {
    currentDate: new Date(NOW * 1000 + random.below(1000)),
    clockTolerance: random.pick([0, 0, 30, 60]),
    requiredClaims: random.pick([['iat', 'jti'], ['iat', 'jti', 'exp'], []]),
    ...(random.below(3) ? {} : { audience: random.pick<string | string[]>(['api', ['api', 'other'], ['none']]) }),
    ...(random.below(3) ? {} : { issuer: random.pick<string | string[]>(['framework', ['framework', 'x']]) }),
    ...(random.oneIn(4) ? { subject: random.pick(['1', '2']) } : {}),
  };
}

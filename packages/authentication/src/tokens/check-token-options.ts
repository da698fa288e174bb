import { ALGORITHMS } from './create-token.ts';
import { seconds } from './duration.ts';
import type { TokenOptions } from './token-options.ts';

/** Seconds that clocks may differ at most (security S18). */
export const MAX_TOLERANCE = 60;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));
const isAlgorithms = (value: unknown): boolean => isTexts(value) && [value].flat().every((name) => ALGORITHMS.has(String(name)));
const isTime = (value: unknown): boolean => (typeof value === 'number' || typeof value === 'string') && Number.isFinite(seconds(value));

/** Each option that is honoured, what it must be, and how to say so. */
const OPTIONS: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, expected: string]>> = {
  header: [(value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'an object'],
  audience: [isTexts, 'a text or a list of texts'],
  issuer: [isTexts, 'a text or a list of texts'],
  algorithm: [isAlgorithms, `one of ${[...ALGORITHMS].join(', ')}`],
  algorithms: [(value) => Array.isArray(value) && isAlgorithms(value), `a list of ${[...ALGORITHMS].join(', ')}`],
  expiresIn: [isTime, 'seconds or a length of time'],
  notBefore: [isTime, 'seconds or a length of time'],
  maxAge: [isTime, 'seconds or a length of time'],
  subject: [isText, 'a text'],
  jwtid: [isText, 'a text'],
  keyid: [isText, 'a text'],
  nonce: [isText, 'a text'],
  clockTolerance: [(value) => typeof value === 'number' && value >= 0, `0 to ${String(MAX_TOLERANCE)} seconds`],
  clockTimestamp: [(value) => typeof value === 'number' && value > 0, 'seconds since 1970'],
};

/** Options of other token libraries that could not be honoured without a hole, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  noTimestamp: 'tokens need the time at which they were made',
  ignoreExpiration: 'tokens that have ended are never accepted',
  ignoreNotBefore: 'tokens that do not count yet are never accepted',
  complete: 'verifying gives the payload alone',
  mutatePayload: 'arguments are never changed',
  allowInsecureKeySizes: 'weak keys are never accepted',
  allowInvalidAsymmetricKeyTypes: 'a key must fit its algorithm',
  encoding: 'payloads are UTF-8',
};

/** Parts of a header that would not be honoured, and why. */
const REFUSED_IN_HEADER: Readonly<Record<string, string>> = {
  alg: "a token is signed by the option 'algorithm'",
  crit: 'no extension is understood, and what says that it must be is refused by whoever verifies it',
  b64: 'payloads are Base64',
};

/** Options that belong to one token and would be wrong for all. */
const ONE_TOKEN: ReadonlySet<string> = new Set(['subject', 'jwtid', 'nonce', 'clockTimestamp']);

/** How long tokens live. */
const LIVES: ReadonlySet<string> = new Set(['expiresIn', 'maxAge']);

/**
 * Refuses token options that would not be honoured: unknown ones, dangerous ones, and values that can not be meant.
 *
 * @param options options by name
 * @param setting where they stand, for example `authentication.jwtOptions`
 * @throws TypeError that names the option
 * @see interface 2.1, 4.2
 */
export function checkTokenOptions(options: object, setting: string): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined) continue;
    const reason = REFUSED[name];
    if (reason !== undefined) throw new TypeError(`'${setting}.${name}' is not supported: ${reason}`);
    const rule = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (!rule) throw new TypeError(`'${setting}.${name}' is no token option. There are ${Object.keys(OPTIONS).join(', ')}`);
    if (!fits(rule[0], value, `${setting}.${name}`)) throw new TypeError(`${setting}: "${name}" must be ${rule[1]}`);
  }
  checkHeader((options as TokenOptions).header ?? {}, `${setting}.header`);
}

/** What is left out of a token, or keeps it from being made or from being accepted, would be noticed at the first login. */
function checkHeader(header: object, setting: string): void {
  for (const [name, value] of Object.entries(header) as [string, unknown][]) {
    if (value === undefined) continue;
    const reason = Object.hasOwn(REFUSED_IN_HEADER, name) ? REFUSED_IN_HEADER[name] : undefined;
    if (reason !== undefined) throw new TypeError(`'${setting}.${name}' is not supported: ${reason}`);
    if ((name === 'kid' || name === 'typ') && !isText(value)) throw new TypeError(`${setting}: "${name}" must be a text`);
  }
}

function fits(rule: (value: unknown) => boolean, value: unknown, setting: string): boolean {
  try {
    return rule(value);
  } catch (error) {
    throw new TypeError(`${setting}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * As {@link checkTokenOptions}, for the options of all tokens of a service.
 *
 * @throws TypeError that names the option
 */
export function checkCommonTokenOptions(options: object, setting: string): void {
  checkTokenOptions(options, setting);
  const given: TokenOptions = options;
  const { clockTolerance } = given;
  if ((clockTolerance ?? 0) > MAX_TOLERANCE)
    throw new TypeError(`'${setting}.clockTolerance' must be 0 to ${String(MAX_TOLERANCE)} seconds`);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    // A part of a second is none.
    if (LIVES.has(name) && value !== undefined && seconds(value as string | number) <= 0)
      throw new TypeError(`'${setting}.${name}' is a second or more, and not '${String(value)}': no token would count`);
  }
  checkOwnAlgorithm(given, setting);
  const wrong = Object.keys(options).find((name) => ONE_TOKEN.has(name));
  if (wrong !== undefined) throw new TypeError(`'${setting}.${wrong}' is for one token: give it to the call that makes or verifies it`);
}

/** A token is signed by the first of `algorithm`, and `algorithms` takes away from what counts. */
function checkOwnAlgorithm({ algorithm, algorithms }: TokenOptions, setting: string): void {
  const [own = 'HS256'] = [algorithm ?? 'HS256'].flat();
  if (algorithms !== undefined && !algorithms.includes(own))
    throw new TypeError(
      `'${setting}.algorithms' leaves '${own}' out, by which tokens are signed, so that none would count: set '${setting}.algorithm' to one of them, or add it`,
    );
}

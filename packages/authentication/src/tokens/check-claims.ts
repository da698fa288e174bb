import type { TokenOptions } from './token-options.ts';

/** Claims that options decide, and the value that they give; `undefined` where it is another one each time. */
const DECIDED: readonly (readonly [claim: string, option: keyof TokenOptions, value: (options: TokenOptions) => unknown])[] = [
  ['exp', 'expiresIn', () => undefined],
  ['nbf', 'notBefore', () => undefined],
  ['aud', 'audience', ({ audience }) => audience],
  ['iss', 'issuer', ({ issuer }) => [issuer].flat()[0]],
  ['sub', 'subject', ({ subject }) => subject],
];

/**
 * Refuses claims of a payload that would not be in the token as they are given: an option decides them, or they are no times. A payload that is no object of claims has
 * none, or letters and places of a list for their names.
 *
 * @throws TypeError for a payload that is no object of claims; Error that names the claim
 */
export function checkClaims(payload: Readonly<Record<string, unknown>>, options: TokenOptions): void {
  refuseNoClaims(payload);
  for (const name of ['exp', 'nbf', 'iat']) {
    if (payload[name] !== undefined && !Number.isFinite(payload[name]))
      throw new Error(`'${name}' in the payload must be seconds since 1970`);
  }
  for (const [claim, option, value] of DECIDED) {
    if (payload[claim] !== undefined && options[option] !== undefined && !isSame(payload[claim], value(options)))
      throw decided(claim, option);
  }
  // Without the option the id is random.
  if (payload.jti !== undefined && payload.jti !== options.jwtid) throw decided('jti', 'jwtid');
}

/**
 * Callers without types may give anything.
 *
 * @throws TypeError for what is no object of claims
 */
export function refuseNoClaims(given: unknown): void {
  if (typeof given !== 'object' || given === null || Symbol.iterator in given)
    throw new TypeError(`The payload of a token is an object of claims, such as { role: 'editor' }, and not ${kindOf(given)}`);
}

function kindOf(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  return typeof given === 'object' ? 'a list' : `a ${typeof given}`;
}

function decided(claim: string, option: string): Error {
  return new Error(`'${claim}' in the payload would not count: it is decided by the token option '${option}', which takes it in its place`);
}

function isSame(given: unknown, value: unknown): boolean {
  return value !== undefined && JSON.stringify(given) === JSON.stringify(value);
}

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
 * Refuses claims of a payload that would not be in the token as they are given: an option decides them, or they are no times.
 *
 * @throws Error that names the claim
 */
export function checkClaims(payload: Readonly<Record<string, unknown>>, options: TokenOptions): void {
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

function decided(claim: string, option: string): Error {
  return new Error(`'${claim}' in the payload would not count: it is decided by the token option '${option}', which takes it in its place`);
}

function isSame(given: unknown, value: unknown): boolean {
  return value !== undefined && JSON.stringify(given) === JSON.stringify(value);
}

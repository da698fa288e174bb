import { seconds } from '../tokens/duration.ts';

/** Option `sessions` of the configuration. `true` takes all defaults. */
export interface SessionOptions {
  /** Path of the service that stores sessions. Default: `sessions`. */
  service?: string;
  /** Longest life of a session: seconds, or a text such as `30d`. Default: `30d`. */
  maxAge?: string | number;
  /** Life of a session that is not refreshed. Default: `14d`. */
  idle?: string | number;
  /** How refresh tokens travel: in the JSON body, in a cookie, or not at all. Default: `json`. */
  refresh?: 'json' | 'cookie' | false;
  /** `SameSite` of the cookie. Default: `Strict`. */
  sameSite?: 'Strict' | 'Lax';
  /** Origins, besides the server's own, that may refresh by cookie, for example `https://app.example.com`. Default: none. */
  origins?: readonly string[];
  /** Time in which the refresh token just replaced is refused without ending the session; at most `10s`. Default: 0. */
  refreshGrace?: string | number;
  /** Sessions that each process remembers. Default: 10,000. */
  cacheSize?: number;
}

/** Settings with their defaults; times in milliseconds. */
export interface SessionSettings {
  readonly service: string;
  readonly maxAge: number;
  readonly idle: number;
  readonly refresh: 'json' | 'cookie' | false;
  readonly sameSite: 'Strict' | 'Lax';
  readonly origins: readonly string[];
  readonly refreshGrace: number;
  readonly cacheSize: number;
}

/** Longest grace, in seconds (security S20). */
const MAX_GRACE = 10;

/**
 * Reads the option `sessions`.
 *
 * @returns `undefined` when sessions are off
 * @throws Error for a value that can not be meant
 */
export function sessionSettings(option: unknown): SessionSettings | undefined {
  if (option === undefined || option === null || option === false) return undefined;
  if (option !== true && typeof option !== 'object') throw new Error("'authentication.sessions' must be true, false or an object");
  const given: SessionOptions = option === true ? {} : option;
  const refresh = given.refresh ?? 'json';
  if (refresh !== 'json' && refresh !== 'cookie' && refresh)
    throw new Error("'authentication.sessions.refresh' must be 'json', 'cookie' or false");
  return {
    service: given.service ?? 'sessions',
    maxAge: milliseconds('maxAge', given.maxAge ?? '30d'),
    idle: milliseconds('idle', given.idle ?? '14d'),
    refresh,
    sameSite: given.sameSite ?? 'Strict',
    origins: given.origins ?? [],
    refreshGrace: Math.min(seconds(given.refreshGrace ?? 0), MAX_GRACE) * 1000,
    cacheSize: given.cacheSize ?? 10_000,
  };
}

function milliseconds(name: string, value: string | number): number {
  const length = seconds(value);
  if (length <= 0) throw new Error(`'authentication.sessions.${name}' must be longer than a second`);
  return length * 1000;
}

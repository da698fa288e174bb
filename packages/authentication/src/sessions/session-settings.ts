import { checkOptionNames } from '@framework/core';
import { seconds } from '../tokens/duration.ts';

/** Option `sessions` of the configuration. `true` takes all defaults. */
export interface SessionOptions {
  /** Path of the service that stores sessions. Default: `sessions`. */
  service?: string;
  /** Longest life of a session: seconds, or a text such as `30d`. Default: `30d`. */
  maxAge?: string | number;
  /** Life of a session that is not refreshed. Default: `14d`. */
  idle?: string | number;
  /** How refresh tokens travel: in the JSON body, in a cookie, or not at all. Default: `json`; with `cookie: true`, `cookie`. */
  refresh?: 'json' | 'cookie' | false;
  /** Cookies for pages: the refresh token and the access token, which `authenticate('jwt')` then reads. Default: `false`. */
  cookie?: boolean;
  /**
   * A word in the names of the cookies, `admin` for `__Host-admin-access`: several authentication services of one host need one each, whatever their ports and paths,
   * or a login at one takes the place of that at another. Default: none.
   */
  cookieName?: string;
  /** `SameSite` of the cookies; the access token's is `Lax` unless this is set. Default: `Strict`. */
  sameSite?: 'Strict' | 'Lax';
  /** Origins, besides the server's own, that may use the cookies, for example `https://app.example.com`. Default: none. */
  origins?: readonly string[];
  /** Time in which the refresh token just replaced gives the same client the same pair again; at most `10s`. Default: 0. */
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
  readonly cookie: boolean;
  readonly cookieName: string | undefined;
  readonly sameSite: 'Strict' | 'Lax' | undefined;
  readonly origins: readonly string[];
  readonly refreshGrace: number;
  readonly cacheSize: number;
}

/** Longest grace, in seconds (security S20). */
const MAX_GRACE = 10;

const NAMES: ReadonlySet<string> = new Set([
  'service',
  'maxAge',
  'idle',
  'refresh',
  'cookie',
  'cookieName',
  'sameSite',
  'origins',
  'refreshGrace',
  'cacheSize',
]);

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
  checkOptions(given);
  const cookie = given.cookie ?? false;
  return {
    service: given.service ?? 'sessions',
    maxAge: milliseconds('maxAge', given.maxAge ?? '30d'),
    idle: milliseconds('idle', given.idle ?? '14d'),
    refresh: given.refresh ?? (cookie ? 'cookie' : 'json'),
    cookie,
    cookieName: given.cookieName,
    sameSite: given.sameSite,
    origins: given.origins ?? [],
    refreshGrace: Math.min(seconds(given.refreshGrace ?? 0), MAX_GRACE) * 1000,
    cacheSize: given.cacheSize ?? 10_000,
  };
}

/** Callers without types may give anything. */
function checkOptions(given: SessionOptions): void {
  const refuse = (name: string, expected: string): never => {
    throw new Error(`'authentication.sessions.${name}' must be ${expected}`);
  };
  checkOptionNames("'authentication.sessions'", given, NAMES);
  const { service, refresh, cookie, cookieName, sameSite, origins, refreshGrace, cacheSize } = given as Readonly<Record<string, unknown>>;
  if (service !== undefined && service !== null && (typeof service !== 'string' || service === ''))
    refuse('service', 'the path of the service that stores sessions');
  if (typeof refreshGrace === 'number' && refreshGrace < 0) refuse('refreshGrace', `0 to ${String(MAX_GRACE)} seconds`);
  if (refresh !== undefined && refresh !== 'json' && refresh !== 'cookie' && refresh !== false)
    refuse('refresh', "'json', 'cookie' or false");
  if (cookie !== undefined && typeof cookie !== 'boolean') refuse('cookie', 'true or false');
  if (cookie === true && refresh === 'json') refuse('refresh', "'cookie' or false where 'cookie' is true");
  if (
    cookieName !== undefined &&
    (typeof cookieName !== 'string' || !/^[a-z\d]+(?:-[a-z\d]+)*$/i.test(cookieName) || cookieName.length > 32)
  )
    refuse('cookieName', "a word of at most 32 letters, digits and '-'");
  if (sameSite !== undefined && sameSite !== 'Strict' && sameSite !== 'Lax') refuse('sameSite', "'Strict' or 'Lax'");
  if (origins !== undefined && !(Array.isArray(origins) && origins.every((origin) => typeof origin === 'string'))) {
    refuse('origins', 'a list of origins');
  }
  if (cacheSize !== undefined && !(Number.isSafeInteger(cacheSize) && Number(cacheSize) > 0))
    refuse('cacheSize', 'a positive whole number');
}

function milliseconds(name: string, value: string | number): number {
  const length = seconds(value);
  if (length <= 0) throw new Error(`'authentication.sessions.${name}' must be longer than a second`);
  return length * 1000;
}

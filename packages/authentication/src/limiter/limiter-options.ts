import { seconds } from '../tokens/duration.ts';
import type { AttemptRule, LimiterStore } from './limiter-store.ts';

/** How many logins may fail. */
export interface LimiterRule {
  /** Attempts that may fail before anything is held back. */
  attempts: number;
  /** How long failures count, and the longest time that a login waits: seconds, or a text such as `15m`. */
  window: string | number;
  /**
   * Time that the next login waits after that, which doubles with each one that fails: seconds, or a text. Without it nothing
   * is accepted until the window ends.
   */
  delay?: string | number;
}

/** Option `limiter` of the configuration. */
export interface LimiterOptions {
  /** Per account, from all addresses together. Default: 10 attempts, then delays from one second to 15 minutes. */
  account?: LimiterRule | false;
  /** Per network address, for all accounts together. Default: 100 attempts, then delays from one second to 15 minutes. */
  address?: LimiterRule | false;
  /** Where attempts are counted. Default: in the memory of each process. */
  store?: LimiterStore;
}

/** What attempts are counted by. */
export type LimiterKind = 'address' | 'account';

const DEFAULTS: Readonly<Record<LimiterKind, LimiterRule>> = {
  account: { attempts: 10, window: '15m', delay: 1 },
  address: { attempts: 100, window: '15m', delay: 1 },
};

/**
 * Reads a rule of the option.
 *
 * @returns `undefined` where nothing is bounded
 * @throws Error for a rule that can not be meant
 */
export function attemptRule(options: LimiterOptions, kind: LimiterKind): AttemptRule | undefined {
  const rule = options[kind] ?? DEFAULTS[kind];
  if (rule === false) return undefined;
  const window = seconds(rule.window) * 1000;
  const delay = rule.delay === undefined ? null : seconds(rule.delay) * 1000;
  if (!Number.isSafeInteger(rule.attempts) || rule.attempts < 1 || window <= 0 || (delay !== null && delay <= 0)) {
    throw new Error(`'authentication.limiter.${kind}' needs attempts (1 or more), a window and, if any, a delay of a second or more`);
  }
  return { attempts: rule.attempts, window, delay };
}

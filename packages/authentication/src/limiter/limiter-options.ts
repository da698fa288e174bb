import { checkOptionNames } from '@framework/core';
import { seconds } from '../tokens/duration.ts';
import { isRecord, property } from '../values.ts';
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

const NAMES: ReadonlySet<string> = new Set(['account', 'address', 'store']);
const RULE_NAMES: ReadonlySet<string> = new Set(['attempts', 'window', 'delay']);
/** What every store does. */
const STORE_METHODS: readonly (keyof LimiterStore)[] = ['attempt', 'restore', 'reset'];

/**
 * Checks the option when the application is set up: what is wrong in it would fail each login, or bound nothing.
 *
 * @param option the option; callers without types may give anything
 * @param setting where it stands, for example `authentication.limiter`
 * @throws Error that names what to mend
 */
export function checkLimiter(option: unknown, setting: string): void {
  if (option === undefined || option === null || typeof option === 'boolean') return;
  if (!isRecord(option)) throw new Error(`'${setting}' must be false, or an object with ${[...NAMES].join(', ')}`);
  checkOptionNames(`'${setting}'`, option, NAMES);
  for (const kind of ['account', 'address'] as const) {
    const rule = option[kind];
    if (rule === undefined || rule === null || rule === false) continue;
    if (!isRecord(rule)) throw new Error(`'${setting}.${kind}' must be false, or an object with ${[...RULE_NAMES].join(', ')}`);
    checkOptionNames(`'${setting}.${kind}'`, rule, RULE_NAMES);
    attemptRule(option, kind);
  }
  const { store } = option;
  if (store !== undefined && STORE_METHODS.some((method) => typeof property(store, method) !== 'function'))
    throw new Error(`'${setting}.store' must have the methods ${STORE_METHODS.join(', ')}`);
}

/**
 * Reads a rule of the option.
 *
 * @returns `undefined` where nothing is bounded
 * @throws Error for a rule that can not be meant
 */
export function attemptRule(options: LimiterOptions, kind: LimiterKind): AttemptRule | undefined {
  const rule = options[kind] ?? DEFAULTS[kind];
  if (rule === false) return undefined;
  const window = milliseconds(rule.window);
  const delay = rule.delay === undefined ? null : milliseconds(rule.delay);
  if (!Number.isSafeInteger(rule.attempts) || rule.attempts < 1 || !(window > 0) || (delay !== null && !(delay > 0))) {
    throw new Error(`'authentication.limiter.${kind}' needs attempts (1 or more), a window and, if any, a delay of a second or more`);
  }
  return { attempts: rule.attempts, window, delay };
}

/** @returns `NaN` for what is no length of time */
function milliseconds(length: string | number): number {
  try {
    return seconds(length) * 1000;
  } catch {
    return Number.NaN;
  }
}

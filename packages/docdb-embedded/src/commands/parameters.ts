import { MECHANISMS } from '../security/scram.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, Double, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { isTruthy } from '../query/truthy.ts';
import type { AdmissionRate } from './admissions.ts';
import { changedLevels, commandLevel, INITIAL_LEVELS } from './log-components.ts';
import { FEATURE_VERSION } from './server-version.ts';

/** A setting of the whole server. */
interface Rule {
  readonly initial: Value;
  /** Makes a setting of what it is set to; a parameter without it stays as it is while the server runs. */
  readonly read?: (given: Value, name: string, was: Value) => Value;
}

const MOST_LEVEL = 5;
const MAX_INT = 2 ** 31 - 1;

const RULES: Readonly<Record<string, Rule>> = {
  allowDiskUseByDefault: { initial: true },
  authenticationMechanisms: { initial: [...MECHANISMS] },
  enableTestCommands: { initial: true },
  featureCompatibilityVersion: { initial: { version: FEATURE_VERSION } },
  ingressConnectionEstablishmentBurstCapacitySecs: { initial: new Double(Number.MAX_VALUE), read: positive },
  ingressConnectionEstablishmentMaxQueueDepth: { initial: 0, read: (given, name) => within(given, name, 0, MAX_INT) },
  ingressConnectionEstablishmentRateLimiterEnabled: { initial: false, read: (given) => isTruthy(given) },
  ingressConnectionEstablishmentRatePerSec: { initial: MAX_INT, read: (given, name) => within(given, name, 1, MAX_INT) },
  logComponentVerbosity: { initial: INITIAL_LEVELS, read: (given, _name, was) => changedLevels(was as Doc, given) },
  logLevel: { initial: 0, read: (given, name) => within(given, name, 0, MOST_LEVEL) },
  quiet: { initial: false, read: (given) => isTruthy(given) },
  transactionLifetimeLimitSeconds: { initial: 60 },
  ttlMonitorEnabled: { initial: true, read: (given) => isTruthy(given) },
  ttlMonitorSleepSecs: { initial: 30, read: (given, name) => within(given, name, 1, 2_000_000) },
};

/** @throws BadValue (2) for what is no whole number within bounds */
function within(given: Value, name: string, low: number, high: number): number {
  const value = typeof given === 'boolean' ? Number(given) : isNumber(given) ? wholeOption(given) : Number.NaN;
  if (!(value >= low && value <= high)) throw badValue(`${name} has to be from ${String(low)} to ${String(high)}, and is ${String(given)}`);
  return value;
}

/** @throws BadValue (2) for what is no number above 0 */
function positive(given: Value, name: string): Double {
  const value = isNumber(given) ? toNumber(given) : Number.NaN;
  if (!(value > 0)) throw badValue(`${name} has to be above 0, and is ${String(given)}`);
  return new Double(value);
}

/** A parameter as `getParameter` tells of it. */
export interface ShownParameter {
  readonly name: string;
  readonly value: Value;
  readonly settableAtRuntime: boolean;
}

/** The settings of the whole server, which `setParameter` changes; each that can be changed is honoured. */
export class Parameters {
  readonly #values = new Map<string, Value>(Object.entries(RULES).map(([name, { initial }]) => [name, initial]));
  /** Told of each change. */
  readonly listeners: Set<() => void> = new Set();
  /** How much of what commands do is written into the log. */
  commandLevel = 0;
  /** Whether connections are left out of the log. */
  quiet = false;

  /** Whether documents expire at all. */
  get expires(): boolean {
    return isTruthy(this.#values.get('ttlMonitorEnabled'));
  }

  /** Milliseconds between looks at documents that expire. */
  get expiryInterval(): number {
    return toNumber(this.#values.get('ttlMonitorSleepSecs')) * 1000;
  }

  /** At which rate connections may begin. */
  get admissionRate(): AdmissionRate {
    const number = (name: string): number => toNumber(this.#values.get(`ingressConnectionEstablishment${name}`));
    return {
      enabled: isTruthy(this.#values.get('ingressConnectionEstablishmentRateLimiterEnabled')),
      perSecond: number('RatePerSec'),
      burstSeconds: number('BurstCapacitySecs'),
      maxQueue: number('MaxQueueDepth'),
    };
  }

  list(): ShownParameter[] {
    return [...this.#values].map(([name, value]) => ({ name, value, settableAtRuntime: RULES[name]?.read !== undefined }));
  }

  /**
   * Changes parameters, all or none.
   *
   * @returns what the first one was
   * @throws DocDbError (2, 20, 72) for one that is not known, can not be changed, or can not be set to that
   */
  set(given: readonly (readonly [string, Value])[]): Value {
    const read = given.map(([name, value]): readonly [string, Value] => {
      const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
      if (!rule) throw new DocDbError(72, `Attempted to set unrecognized parameter [${name}], use help:true to see options`);
      if (!rule.read) throw new DocDbError(20, `not allowed to change [${name}] at runtime`);
      return [name, rule.read(value, name, this.#values.get(name))];
    });
    const [first] = read;
    const was = first && this.#values.get(first[0]);
    for (const [name, value] of read) this.#keep(name, value);
    this.commandLevel = commandLevel(this.#values.get('logComponentVerbosity') as Doc);
    this.quiet = isTruthy(this.#values.get('quiet'));
    for (const listener of this.listeners) listener();
    return was;
  }

  /** The level of everything has two names. */
  #keep(name: string, value: Value): void {
    this.#values.set(name, value);
    const levels = this.#values.get('logComponentVerbosity') as Doc;
    if (name === 'logLevel') this.#values.set('logComponentVerbosity', { ...levels, verbosity: value });
    else if (name === 'logComponentVerbosity') this.#values.set('logLevel', levels.verbosity);
  }
}

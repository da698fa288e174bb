import type { AuthenticationConfiguration } from './configuration-types.ts';
import { defaultConfiguration } from './default-configuration.ts';
import { frozenCopy, mergeOptions } from './merge.ts';
import { isRecord } from '../values.ts';

/**
 * Hands out deeply frozen copies of the configuration, made again only when the setting changes, so that reading it is
 * free on each request (decisions: configuration).
 */
export class ConfigurationSnapshot {
  readonly #read: () => unknown;
  #setting: unknown = Symbol('none');
  #snapshot: AuthenticationConfiguration = defaultConfiguration;

  /** @param read gives the present setting */
  constructor(read: () => unknown) {
    this.#read = read;
  }

  /** The configuration now. As JSON it has no secrets (security S16). */
  get current(): AuthenticationConfiguration {
    const setting = this.#read();
    if (setting !== this.#setting) {
      const merged = frozenCopy(mergeOptions(defaultConfiguration, setting as object | undefined));
      this.#snapshot = Object.freeze(Object.defineProperty({ ...merged }, 'toJSON', { value: withoutSecrets }));
      this.#setting = setting;
    }
    return this.#snapshot;
  }
}

function withoutSecrets(this: AuthenticationConfiguration): Partial<AuthenticationConfiguration> {
  const { keys: _keys, ...rest } = this;
  return Object.fromEntries(Object.entries(rest).flatMap(([name, value]) => (SECRET.has(name) ? [] : [[name, shown(value)]])));
}

/** Settings at whatever depth that are secrets: those of this package and those of strategies. */
const SECRET: ReadonlySet<string> = new Set(['secret', 'clientSecret', 'privateKey']);

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (!isRecord(value)) return value;
  // An instance may hold anything, such as the connection of a store with its password: it says itself what is shown of it.
  if (Object.getPrototypeOf(value) !== Object.prototype) return typeof value.toJSON === 'function' ? value : undefined;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (SECRET.has(name) ? [] : [[name, shown(inner)]])));
}

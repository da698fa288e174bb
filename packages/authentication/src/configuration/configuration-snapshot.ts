import { inspect, type InspectOptions } from 'node:util';
import type { AuthenticationConfiguration } from './configuration-types.ts';
import { defaultConfiguration } from './default-configuration.ts';
import { frozenCopy, mergeOptions, SECRET, showAs } from './merge.ts';
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
      this.#snapshot = frozenSettings(setting as object | undefined);
      this.#setting = setting;
    }
    return this.#snapshot;
  }
}

/** Lists of which files of settings may say that there are none: `null` is their default. */
const LISTS = ['authStrategies', 'parseStrategies', 'origins'] as const;

/**
 * Joins settings with the defaults, at every depth as copies that are frozen: a change in one of them would be seen by nobody. As JSON they have no secrets
 * (security S16).
 *
 * @param sources settings; later ones win
 */
export function frozenSettings(...sources: readonly (object | undefined)[]): AuthenticationConfiguration {
  const joined = mergeOptions(defaultConfiguration, ...sources);
  for (const name of LISTS) if (joined[name] === null) joined[name] = defaultConfiguration[name];
  const merged = frozenCopy(mergeOptions(joined));
  return Object.freeze(shownWithoutSecrets(mergeOptions(merged), merged)) as AuthenticationConfiguration;
}

/**
 * Keeps secrets out of what is printed of a configuration, and out of its JSON.
 *
 * @param copy gets what says how it is shown
 * @param source what it was made of, which may know of more secrets
 */
function shownWithoutSecrets<T extends object>(copy: T, source: object): T {
  showAs(source, copy);
  const asJson: unknown = Reflect.get(copy, 'toJSON');
  const asPrinted: unknown = Reflect.get(copy, inspect.custom);
  Object.defineProperty(copy, 'toJSON', {
    value(this: object): unknown {
      const json: unknown = typeof asJson === 'function' ? Reflect.apply(asJson, this, []) : this;
      const { keys: _keys, ...rest } = isRecord(json) ? json : {};
      return shown(rest);
    },
    configurable: true,
  });
  if (typeof asPrinted === 'function') return copy;
  return Object.defineProperty(copy, inspect.custom, {
    value(this: object, _depth: number, options: InspectOptions, print: typeof inspect = inspect): string {
      return print(masked({ ...this }), options);
    },
    configurable: true,
  });
}

/** The same for whoever reads a log: that there is a secret, and not which. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, SECRET.has(name) ? '[secret]' : masked(inner)]));
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (!isRecord(value)) return value;
  // An instance may hold anything, such as the connection of a store with its password: it says itself what is shown of it.
  if (Object.getPrototypeOf(value) !== Object.prototype) return typeof value.toJSON === 'function' ? value : undefined;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (SECRET.has(name) ? [] : [[name, shown(inner)]])));
}

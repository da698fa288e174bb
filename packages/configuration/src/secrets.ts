import { inspect, type InspectOptions } from 'node:util';
import { markedBy } from './marked-by.ts';
import { isPlainObject } from './plain-object.ts';

/** Names that tell a secret. */
const SECRET_NAME =
  /secret|passw|passphrase|credential|tokens?$|private[-_]?key|api[-_]?key|access[-_]?key|(?:^|[-_])(?:keys?|pass)$|^pwd$|^dsn$|connection[-_]?string/i;

/** The same, of names in which each word begins with a capital letter: `smtpPass`, `signingKey`. */
const SECRET_WORD = /[a-z\d](?:Keys?|Pass)$/;

/** Keys that open nothing. */
const OPEN_KEY = /(?:public|primary|foreign|unique|sort|partition|group|cache)[-_]?keys?$/i;

/** Names that only speak of one (`passwordField`, `minPasswordLength`, `tokenUrl`). */
const ABOUT_A_SECRET = /(?:field|name|property|length|header|type|ttl|expiry|lifetime|url|policy|service|algorithm|rounds|cost)$/i;

/** A password inside an address, `protocol://user:password@host`: up to the last `@`, since people put in letters that have to be encoded. What follows a port is none. */
const PASSWORD_IN_URL = /(\/\/[^/?#:@\s]*:)(?!\d+(?:[/?#]|$))[^\n]+(?=@)/g;

/**
 * Names of properties inside a text: `?access_token=…`, `Server=…;Password=…`, `host=… password=…`. A name begins once: a long text without an end of a word would be
 * read from each letter.
 */
const NAME_IN_TEXT = /(?<![\w-])([\w-]+)\s*=\s*/g;

/** What a value in a text ends with; what is in quotes ends behind them. A password may have spaces in it. */
const END_OF_VALUE = /[&;\n]|$/g;

/** The value of an `Authorization` header. */
const AUTHORIZATION = /^(Bearer|Basic)\s+\S+$/i;

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const HIDDEN = '[secret]';

/** Tells which settings are secret. */
export type SecretRule = (path: readonly string[]) => boolean;

/**
 * @param named paths that the application names; `*` stands for any name, or place of a list
 * @param schema a JSON schema, or a validator that brings it along: `writeOnly`, `hidden` and the format `password` mark a secret
 * @returns a rule that also knows the usual names of secrets
 */
export function secretRule(named: readonly string[], schema: unknown): SecretRule {
  const isMarked = markedBy(schema);
  const patterns = named.map((path) => path.split('.'));
  const isNamed = (path: readonly string[]): boolean =>
    named.includes(path.join('.')) ||
    patterns.some((pattern) => pattern.length === path.length && pattern.every((name, index) => name === '*' || name === path[index]));
  return (path) =>
    path.some((name, index) => {
      const place = path.slice(0, index + 1);
      return tellsSecret(name) || isNamed(place) || isMarked(place);
    });
}

function tellsSecret(name: string): boolean {
  return (SECRET_NAME.test(name) || SECRET_WORD.test(name)) && !ABOUT_A_SECRET.test(name) && !OPEN_KEY.test(name);
}

/**
 * Keeps the values of secrets where no inspection looks, whatever its options: behind properties that are read by a function.
 *
 * @param value an object or a list of the settings, before it is frozen
 * @param path where it lies in the settings
 * @param names properties to look at. Default: all
 */
export function keepUnseen(
  value: object,
  path: readonly string[],
  isSecret: SecretRule,
  names: readonly string[] = Object.keys(value),
): void {
  for (const name of names) {
    const inner: unknown = Reflect.get(value, name);
    const at = [...path, name];
    // A part of the settings has done so itself, unless all of it is a secret.
    const isPart = (Array.isArray(inner) || isPlainObject(inner)) && !isSecret(at);
    if (!isPart && holdsSecret(inner, at, isSecret)) Object.defineProperty(value, name, readByFunction(name, inner));
  }
}

function readByFunction(name: string, value: unknown): PropertyDescriptor {
  return {
    get: () => value,
    // By `this`: what inherits from it gets a value of its own.
    set(this: object, next: unknown) {
      Object.defineProperty(this, name, readByFunction(name, next));
    },
    enumerable: true,
    configurable: true,
  };
}

/**
 * Keeps secrets out of what is printed by accident: `console.log` and errors show `[secret]` in their place, JSON leaves them out. Reading
 * the properties is not changed.
 *
 * @param value an object or a list of the settings; further properties that are set later are looked at too
 * @param path where it lies in the settings
 */
export function hideSecrets(value: object, path: readonly string[], isSecret: SecretRule): void {
  // By `this`: Express lets the settings of a mounted application inherit from its parent's.
  Object.defineProperties(value, {
    [inspect.custom]: {
      value(this: object, _depth: number, options: InspectOptions, print: typeof inspect = inspect): string {
        return print(masked(sharing(this), path, isSecret), options);
      },
      configurable: true,
    },
    toJSON: {
      value(this: object): unknown {
        return withoutSecrets(sharing(this), path, isSecret);
      },
      configurable: true,
    },
  });
}

/** The same values without what {@link hideSecrets} has added. */
function sharing(value: object): object {
  return Array.isArray(value) ? [...(value as unknown[])] : { ...value };
}

/** @returns whether there is anything to hide in a value */
export function holdsSecret(value: unknown, path: readonly string[], isSecret: SecretRule): boolean {
  if ((Array.isArray(value) || isPlainObject(value)) && !isSecret(path))
    return Object.entries(value).some(([name, inner]) => holdsSecret(inner, [...path, name], isSecret));
  return masked(value, path, isSecret) !== value;
}

/** @param around objects in which the value is */
function masked(value: unknown, path: readonly string[], isSecret: SecretRule, around: readonly unknown[] = []): unknown {
  if (isHidden(value, path, isSecret)) return HIDDEN;
  return mapped(value, path, around, (inner, at) => masked(inner, at, isSecret, [...around, value]));
}

function withoutSecrets(value: unknown, path: readonly string[], isSecret: SecretRule, around: readonly unknown[] = []): unknown {
  if (isHidden(value, path, isSecret)) return undefined;
  return mapped(value, path, around, (inner, at) => withoutSecrets(inner, at, isSecret, [...around, value]));
}

/** Switches such as `allowWeakSecret` and absent values tell nothing. */
function isHidden(value: unknown, path: readonly string[], isSecret: SecretRule): boolean {
  return value !== undefined && value !== null && typeof value !== 'boolean' && isSecret(path);
}

function mapped(
  value: unknown,
  path: readonly string[],
  around: readonly unknown[],
  change: (inner: unknown, path: readonly string[]) => unknown,
): unknown {
  if (typeof value === 'string') return shownText(value);
  if (value instanceof URL) return shownText(value.href);
  if (around.includes(value) && typeof value === 'object' && value !== null) return '[circular]';
  if (Array.isArray(value)) return value.map((inner: unknown, index) => change(inner, [...path, String(index)]));
  if (value instanceof Set) return new Set([...value].map((inner: unknown, index) => change(inner, [...path, String(index)])));
  if (value instanceof Map)
    return new Map([...value].map(([name, inner]: [unknown, unknown]) => [name, change(inner, [...path, String(name)])]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, [...path, name])]));
}

function shownText(text: string): string {
  if (PRIVATE_KEY.test(text)) return HIDDEN;
  return withoutSecretProperties(text.replace(AUTHORIZATION, '$1 ***').replaceAll(PASSWORD_IN_URL, '$1***'));
}

function withoutSecretProperties(text: string): string {
  let shown = '';
  let at = 0;
  for (const { 0: beginning, 1: name = '', index } of text.matchAll(NAME_IN_TEXT)) {
    // What looks like a name may be a part of a value.
    if (index < at || !tellsSecret(name)) continue;
    const start = index + beginning.length;
    const quote = text.charAt(start);
    END_OF_VALUE.lastIndex = /['"]/.test(quote) ? Math.max(start, text.indexOf(quote, start + 1)) : start;
    const end = END_OF_VALUE.exec(text)?.index ?? text.length;
    if (end === start) continue;
    shown += `${text.slice(at, start)}***`;
    at = end;
  }
  return shown + text.slice(at);
}

import { inspect, type InspectOptions } from 'node:util';
import { isPlainObject } from './plain-object.ts';

/** Names that tell a secret. */
const SECRET_NAME =
  /secret|passw|passphrase|credential|tokens?$|private[-_]?key|api[-_]?key|access[-_]?key|^keys?$|^pwd$|^dsn$|connection[-_]?string/i;

/** Names that only speak of one (`passwordField`, `minPasswordLength`, `tokenUrl`). */
const ABOUT_A_SECRET = /(?:field|name|property|length|header|type|ttl|expiry|lifetime|url|policy|service|algorithm|rounds|cost)$/i;

/** A password inside an address, `protocol://user:password@host`. */
const PASSWORD_IN_URL = /(:\/\/[^/?#:@\s]*:)[^/?#\s]+(?=@)/g;

const HIDDEN = '[secret]';

/** Tells which settings are secret. */
export type SecretRule = (path: readonly string[]) => boolean;

/**
 * @param named paths that the application names
 * @param schema a JSON schema: `writeOnly`, `hidden` and the format `password` mark a secret
 * @returns a rule that also knows the usual names of secrets
 */
export function secretRule(named: readonly string[], schema: unknown): SecretRule {
  const paths = new Set([...named, ...markedPaths(schema, [])]);
  return (path) =>
    path.some((name, index) => (SECRET_NAME.test(name) && !ABOUT_A_SECRET.test(name)) || paths.has(path.slice(0, index + 1).join('.')));
}

/**
 * Keeps secrets out of what is printed by accident: `console.log` and errors show `[secret]` in their place, JSON leaves them out. Reading
 * the properties is not changed.
 *
 * @param value an object of the settings; further properties that are set later are looked at too
 * @param path where it lies in the settings
 */
export function hideSecrets(value: object, path: readonly string[], isSecret: SecretRule): void {
  // By `this`: Express lets the settings of a mounted application inherit from its parent's.
  Object.defineProperties(value, {
    [inspect.custom]: {
      value(this: object, _depth: number, options: InspectOptions, print: typeof inspect = inspect): string {
        return print(masked({ ...this }, path, isSecret), options);
      },
      configurable: true,
    },
    toJSON: {
      value(this: object): unknown {
        return withoutSecrets({ ...this }, path, isSecret);
      },
      configurable: true,
    },
  });
}

/** @returns whether there is anything to hide in a value */
export function holdsSecret(value: unknown, path: readonly string[], isSecret: SecretRule): boolean {
  if (typeof value === 'object' && value !== null && !isSecret(path))
    return Object.entries(value).some(([name, inner]) => holdsSecret(inner, [...path, name], isSecret));
  return masked(value, path, isSecret) !== value;
}

function masked(value: unknown, path: readonly string[], isSecret: SecretRule): unknown {
  return isHidden(value, path, isSecret) ? HIDDEN : mapped(value, path, (inner, at) => masked(inner, at, isSecret));
}

function withoutSecrets(value: unknown, path: readonly string[], isSecret: SecretRule): unknown {
  return isHidden(value, path, isSecret) ? undefined : mapped(value, path, (inner, at) => withoutSecrets(inner, at, isSecret));
}

/** Switches such as `allowWeakSecret` and absent values tell nothing. */
function isHidden(value: unknown, path: readonly string[], isSecret: SecretRule): boolean {
  return value !== undefined && value !== null && typeof value !== 'boolean' && isSecret(path);
}

function mapped(value: unknown, path: readonly string[], change: (inner: unknown, path: readonly string[]) => unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(PASSWORD_IN_URL, '$1***');
  if (Array.isArray(value)) return value.map((inner: unknown, index) => change(inner, [...path, String(index)]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, [...path, name])]));
}

function markedPaths(schema: unknown, path: readonly string[]): readonly string[] {
  if (!isPlainObject(schema) && !Array.isArray(schema)) return [];
  if (Array.isArray(schema)) return schema.flatMap((part) => markedPaths(part, path));
  const { writeOnly, hidden, format, properties, allOf, anyOf, oneOf } = schema;
  const own = writeOnly === true || hidden === true || format === 'password' ? [path.join('.')] : [];
  const inner = isPlainObject(properties) ? Object.entries(properties).flatMap(([name, part]) => markedPaths(part, [...path, name])) : [];
  return [...own, ...inner, ...[allOf, anyOf, oneOf].flatMap((parts) => markedPaths(parts, path))];
}

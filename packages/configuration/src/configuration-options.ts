import type { StandardSchema } from './standard-schema-check.ts';
import type { VariableMap } from './variables.ts';

/** Where settings come from, and what they must be. */
export interface ConfigurationOptions<Schema = unknown> {
  /** What the settings must be: a JSON schema (also of TypeBox), or a validator of another library (Standard Schema). Default: anything. */
  readonly schema?: Schema;
  /** Folder of the files; several are divided as in `PATH`. Default: `NODE_CONFIG_DIR`, else `config` in the working directory. */
  readonly directory?: string;
  /** Name of the environment; its file lies over `default`. Default: `NODE_CONFIG_ENV`, else `NODE_ENV`, else `development`. */
  readonly environment?: string;
  /** Names of environment variables by setting; they lie over those of `custom-environment-variables.json`. Default: none. */
  readonly variables?: VariableMap;
  /** Paths of settings that are secret, besides those that their name or the schema tells; `*` stands for any name, or place of a list. Default: none. */
  readonly secrets?: readonly string[];
  /** The environment variables. Default: `process.env`, and over it the arguments of the command that node-config takes, such as `--NODE_ENV=production`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Keywords by which a JSON schema says something of an object: what has none of them is no schema of settings, but options of which one is misspelt. */
const KEYWORDS = [
  '$id',
  '$schema',
  '$ref',
  '$defs',
  'definitions',
  'type',
  'const',
  'enum',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'required',
  'minProperties',
  'maxProperties',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
] as const;

/** What settings must be, by itself: a JSON schema, or a validator. */
export type SettingsSchema = { readonly [K in (typeof KEYWORDS)[number]]?: unknown } | StandardSchema | ((...args: never[]) => unknown);

/** The settings that a schema describes. */
export type SettingsOf<Schema> = Schema extends { readonly static: infer Settings }
  ? Settings
  : Schema extends { readonly '~standard': { readonly types?: { readonly output: infer Settings } | undefined } }
    ? Settings
    : Record<string, unknown>;

const KNOWN: Readonly<Record<keyof ConfigurationOptions, (value: unknown) => boolean>> = {
  schema: (value) => (typeof value === 'object' || typeof value === 'function') && value !== null,
  directory: (value) => typeof value === 'string' && value !== '',
  environment: (value) => typeof value === 'string' && value !== '',
  variables: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  secrets: (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
  env: (value) => typeof value === 'object' && value !== null,
};

/**
 * @returns the options as they came
 * @throws TypeError for an option that is unknown, or that has a value of the wrong kind
 */
export function checkedOptions<Schema>(options: ConfigurationOptions<Schema>): ConfigurationOptions<Schema> {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof ConfigurationOptions] : undefined;
    if (!check) throw new TypeError(`configuration() has no option '${name}'; it has ${Object.keys(KNOWN).join(', ')}`);
    if (value !== undefined && !check(value)) throw new TypeError(`The option '${name}' of configuration() has a value of the wrong kind`);
  }
  return options;
}

/** @returns whether a first argument is options and not a schema: a JSON schema has none of their names, and keywords that they have not */
export function isOptions(value: object): value is ConfigurationOptions {
  // A function is a validator.
  if (typeof value === 'function' || '~standard' in value) return false;
  return Object.keys(value).some((name) => Object.hasOwn(KNOWN, name)) || !KEYWORDS.some((keyword) => keyword in value);
}

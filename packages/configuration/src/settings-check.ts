import { jsonSchemaCheck } from './json-schema-check.ts';
import type { SecretRule } from './secrets.ts';
import { isStandardSchema, standardSchemaCheck } from './standard-schema-check.ts';

/** One thing that a schema has against the settings. It never shows a value. */
export interface Fault {
  /** Names from the top to the setting. */
  readonly path: readonly string[];
  readonly kind: 'missing' | 'unknown' | 'wrong';
  /** What is expected, for example `must be an integer`. */
  readonly message: string;
  /** The JSON types that would do; absent when the schema does not say. */
  readonly types?: readonly string[];
}

/** What became of the settings. */
export type Checked = { readonly settings: unknown; readonly faults?: undefined } | { readonly faults: readonly Fault[] };

/** Holds settings against a schema; defaults may be filled into what it is given. */
export type SettingsCheck = (settings: unknown) => Checked;

/**
 * @param schema a JSON schema, or a validator of another library
 * @param isSecret whose values no message may show
 * @throws TypeError for anything else
 */
export function checkOf(schema: unknown, isSecret: SecretRule): SettingsCheck {
  if (schema === undefined) return (settings) => ({ settings });
  if (isStandardSchema(schema)) return standardSchemaCheck(schema, isSecret);
  if (typeof schema === 'object' && schema !== null) return jsonSchemaCheck(schema);
  // A validator that was made of a schema may bring it along: settings are checked before anything is promised.
  const { schema: own } = (typeof schema === 'function' ? schema : {}) as { readonly schema?: unknown };
  if (typeof own === 'object' && own !== null) return jsonSchemaCheck(own);
  throw new TypeError('The schema of configuration() must be a JSON schema or a Standard Schema, and not a function made of one');
}

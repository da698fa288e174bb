import { valueAt } from './plain-object.ts';
import type { SecretRule } from './secrets.ts';
import type { Fault, SettingsCheck } from './settings-check.ts';

/** A validator of another library, for example zod or valibot, by the interface that they share (Standard Schema 1). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult<Output> | PromiseLike<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** What such a validator gives. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One problem that such a validator found. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** @returns whether a value is such a validator; some libraries make functions of them */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  return typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function';
}

/** @returns a check that throws a TypeError when the validator is asynchronous */
export function standardSchemaCheck(schema: StandardSchema, isSecret: SecretRule): SettingsCheck {
  return (settings) => {
    const result = schema['~standard'].validate(settings);
    if ('then' in result) throw new TypeError('The schema of configuration() is asynchronous; settings are checked at once');
    if (result.issues === undefined) return { settings: result.value };
    return { faults: result.issues.map((issue) => faultOf(issue, settings, isSecret)) };
  };
}

function faultOf({ message, path: keys = [] }: StandardIssue, settings: unknown, isSecret: SecretRule): Fault {
  const path = keys.map((key) => String(typeof key === 'object' ? key.key : key));
  const value = valueAt(settings, path);
  if (value === undefined && path.length > 0) return { path, kind: 'missing', message: 'is missing' };
  const expected = message.replace(/[,:;]?\s*(?:but\s+)?(?:received|got)\b.*$/is, '');
  const isShown = leaves(settings, []).some(({ text, at }) => {
    const own = path.every((name, index) => name === at[index]);
    return (own || text.length >= LONG || isSecret(at)) && shows(expected, text);
  });
  return { path, kind: 'wrong', message: isShown || expected === '' ? 'does not fit the schema' : `does not fit the schema (${expected})` };
}

/** From so many letters on a value is one that no message has by chance. */
const LONG = 8;

/**
 * Texts of these libraries repeat what they were given (`expected number but received "…"`), and that may be a secret: as it is, in quotes, in other letters or
 * cut off.
 */
function shows(message: string, text: string): boolean {
  const said = message.toLowerCase();
  const told = text.toLowerCase();
  return [told, JSON.stringify(told).slice(1, -1)].some((form) => said.includes(form.slice(0, LONG)));
}

interface Leaf {
  readonly text: string;
  readonly at: readonly string[];
}

function leaves(value: unknown, at: readonly string[]): readonly Leaf[] {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...at, name]));
  return value === undefined || value === '' ? [] : [{ text: String(value), at }];
}

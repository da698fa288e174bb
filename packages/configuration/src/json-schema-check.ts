import { Ajv, type ErrorObject } from 'ajv';
import formatsModule from 'ajv-formats';
import type { Fault, SettingsCheck } from './settings-check.ts';

// The module is CommonJS: its types and its value disagree about the default.
const addFormats = formatsModule as unknown as (ajv: Ajv) => Ajv;

/** Marks of secret settings and notes for people, which check nothing. */
const NOTES: readonly string[] = ['hidden', 'example'];

/** These only say that none of several schemas fits; why stands in the errors beside them. */
const SUMMARIES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if']);

/**
 * @param schema a JSON schema (draft 7), for example one of TypeBox
 * @throws Error for a schema with an unknown keyword or format: a check that is spelled wrong must not pass for one that holds
 */
export function jsonSchemaCheck(schema: object): SettingsCheck {
  const lenient = { strictTypes: false, strictRequired: false, strictTuples: false };
  // To a quotient that is not quite 7, 0.07 would be no multiple of 0.01.
  const options = { allErrors: true, useDefaults: true, strict: true, multipleOfPrecision: 9, ...lenient };
  const ajv = addFormats(new Ajv(options));
  for (const note of NOTES) ajv.addKeyword(note);
  const validate = ajv.compile(schema);
  if ('$async' in validate) throw new TypeError('The schema of configuration() is asynchronous; settings are checked at once');
  return (settings) => (validate(settings) ? { settings } : { faults: faultsOf(validate.errors ?? []) });
}

function faultsOf(errors: readonly ErrorObject[]): readonly Fault[] {
  const reasons = errors.filter(({ keyword }) => !SUMMARIES.has(keyword));
  const byPath = new Map<string, JsonFault>();
  for (const error of reasons.length > 0 ? reasons : errors) {
    const fault = faultOf(error);
    const place = fault.path.join('\0');
    const known = byPath.get(place);
    byPath.set(place, known ? joined(known, fault) : fault);
  }
  return [...byPath.values()];
}

function faultOf({ keyword, instancePath, params, message = 'does not fit the schema' }: ErrorObject): JsonFault {
  const path = instancePath.split('/').slice(1).map(unescaped);
  const { missingProperty, additionalProperty, unevaluatedProperty, type, allowedValues, allowedValue }: Record<string, unknown> = params;
  const unknown = additionalProperty ?? unevaluatedProperty;
  if (typeof missingProperty === 'string') return { path: [...path, missingProperty], kind: 'missing', message: 'is missing' };
  if (typeof unknown === 'string') return { path: [...path, unknown], kind: 'unknown', message: 'is not a known setting' };
  if (keyword === 'type') {
    const types = [type].flat().map(String);
    return { path, kind: 'wrong', message: mustBe(types), types };
  }
  if (Array.isArray(allowedValues)) return oneOf(path, allowedValues);
  if (keyword === 'const') return oneOf(path, [allowedValue]);
  return { path, kind: 'wrong', message };
}

function oneOf(path: readonly string[], values: readonly unknown[]): JsonFault {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  return { path, kind: 'wrong', message: values.length === 1 ? `must be ${list}` : `must be one of ${list}`, values };
}

/** A fault that may tell all values that would do. */
interface JsonFault extends Fault {
  readonly values?: readonly unknown[];
}

/** Several errors of one setting: other types are alternatives, and so are other values; all else holds together. */
function joined(one: JsonFault, other: JsonFault): JsonFault {
  if (one.values && other.values) return oneOf(one.path, [...new Set([...one.values, ...other.values])]);
  if (!one.types || !other.types)
    return one.message.includes(other.message) ? one : { ...one, message: `${one.message} and ${other.message}` };
  const types = [...new Set([...one.types, ...other.types])];
  return { ...one, types, message: mustBe(types) };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function mustBe(types: readonly string[]): string {
  return `must be ${types.map((type) => TYPE_NAMES[type] ?? type).join(' or ')}`;
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

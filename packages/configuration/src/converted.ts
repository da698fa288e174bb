import { isPlainObject, reservedName, valueAt } from './plain-object.ts';
import type { Checked, SettingsCheck } from './settings-check.ts';
import { toNumber, type Variable } from './variables.ts';

/**
 * Holds settings against the schema. Environment variables are texts: where the schema wants something else, and the text is exactly such a
 * value, it takes the place of the text.
 *
 * @param settings the settings; they are changed
 * @param variables the environment variables that are set
 */
export function checkConverted(settings: unknown, variables: readonly Variable[], check: SettingsCheck): Checked {
  let checked = check(settings);
  for (const variable of variables) {
    if (!checked.faults) return checked;
    const place = variable.path.join('\0');
    const fault = checked.faults.find(({ path }) => path.join('\0') === place);
    if (!fault || variable.formatted || variable.text === undefined || valueAt(settings, variable.path) !== variable.text) continue;
    for (const type of fault.types ?? GUESSED) {
      const value = toType(type, variable.text);
      if (value === undefined || !put(settings, variable.path, value)) continue;
      const again = check(settings);
      // A schema that names its types is right about them; of the others only the outcome tells.
      if (fault.types || !again.faults?.some(({ path }) => path.join('\0') === place)) {
        checked = again;
        break;
      }
      put(settings, variable.path, variable.text);
    }
  }
  return checked;
}

/** Tried in this order where a schema does not say what it wants. */
const GUESSED: readonly string[] = ['number', 'boolean', 'array', 'object'];

function toType(type: string, text: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return toNumber(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'null':
      return text === 'null' ? null : undefined;
    case 'array':
      return fromJson(text, Array.isArray);
    case 'object':
      return fromJson(text, isPlainObject);
    default:
      return undefined;
  }
}

function fromJson(text: string, fits: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) && reservedName(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

function put(settings: unknown, path: readonly string[], value: unknown): boolean {
  const parent = valueAt(settings, path.slice(0, -1));
  const name = path.at(-1);
  return typeof parent === 'object' && parent !== null && name !== undefined && Reflect.set(parent, name, value);
}

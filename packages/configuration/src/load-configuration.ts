import { types } from 'node:util';
import { argumentOf, ownEnvironment, shownArgument } from './command-line.ts';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.ts';
import { checkedOptions, type ConfigurationOptions, type SettingsOf } from './configuration-options.ts';
import { checkConverted } from './converted.ts';
import { ConfigurationFiles, RawConfig } from './files.ts';
import { parseFile } from './parse-file.ts';
import { copied, isPlainObject, nested, valueAt } from './plain-object.ts';
import { hideSecrets, holdsSecret, keepUnseen, secretRule, type SecretRule } from './secrets.ts';
import { checkOf, type Fault } from './settings-check.ts';
import { readVariables, shownVariable, type Variable } from './variables.ts';

/**
 * Reads the settings of a program: `default` and the environment's file from the folder `config`, then the environment variables that a map
 * names. Each call reads anew.
 *
 * @param options where they come from and what they must be
 * @returns the settings as the schema describes them, deeply frozen. Printed, they show `[secret]` for secrets; as JSON they lack them
 * @throws ConfigurationError for a setting that is missing or wrong, and for a file that can not be read
 * @throws TypeError for an unknown option, or a schema that is none
 * @see interface 2.1
 */
export function loadConfiguration<Schema = undefined>(options: ConfigurationOptions<Schema> = {}): SettingsOf<Schema> {
  return loadWithSecrets(options).settings;
}

/** The settings, and what tells their secrets. */
export interface LoadedConfiguration<Settings> {
  readonly settings: Settings;
  readonly isSecret: SecretRule;
}

/** The same as {@link loadConfiguration}, for an application whose settings are to be hidden too. */
export function loadWithSecrets<Schema>(options: ConfigurationOptions<Schema>): LoadedConfiguration<SettingsOf<Schema>> {
  const { schema, secrets = [], env = ownEnvironment(), variables: ownMap } = checkedOptions(options);
  const isSecret = secretRule(secrets, schema);
  const check = checkOf(schema, isSecret);
  const files = new ConfigurationFiles(options, env);
  addJson(files, env.NODE_CONFIG, shownVariable('NODE_CONFIG'));
  if (options.env === undefined) addJson(files, argumentOf('NODE_CONFIG'), shownArgument('NODE_CONFIG'));
  const ownMaps = ownMap === undefined ? [] : [{ source: 'the option `variables`', values: ownMap }];
  const variables = readVariables([...files.maps, ...ownMaps], env);
  for (const { name, path, text, value } of variables)
    if (text !== undefined) files.add({ source: shownVariable(name), values: nested(path, value) });

  const checked = checkConverted(plain(files.join(), []), variables, check);
  if (checked.faults) throw new ConfigurationError(checked.faults.map((fault) => problemOf(fault, files, variables)));
  const settings = copied(checked.settings, (copy, path) => {
    if (holdsSecret(copy, path, isSecret)) {
      keepUnseen(copy, path, isSecret);
      hideSecrets(copy, path, isSecret);
    }
    Object.freeze(copy);
  });
  return { settings: settings as SettingsOf<Schema>, isSecret };
}

/** Adds settings that are written out, over the files. */
function addJson(files: ConfigurationFiles, text: string | undefined, source: string): void {
  if (text === undefined || text === '') return;
  const values = parseFile('NODE_CONFIG.json', text, source);
  if (isPlainObject(values)) files.add({ source, values });
}

/** A copy that the check may fill, without the wrappers of the library. */
function plain(value: unknown, path: readonly string[]): unknown {
  if (value instanceof RawConfig) return value.resolve();
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new ConfigurationError([
      { path: path.join('.'), message: 'is a promise, and settings are read at once', mend: 'give its value' },
    ]);
  }
  // The library copies what is in an object, and the entries of these are not.
  if ((value instanceof Map && !types.isMap(value)) || (value instanceof Set && !types.isSet(value))) {
    const mend = 'give it by `raw`: module.exports = ({ raw }) => ({ … })';
    throw new ConfigurationError([
      { path: path.join('.'), message: 'is a Map or a Set, whose entries are lost when settings are joined', mend },
    ]);
  }
  if (Array.isArray(value)) return value.map((inner: unknown, index) => plain(inner, [...path, String(index)]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, [...path, name])]));
}

function problemOf({ path, kind, message }: Fault, files: ConfigurationFiles, variables: readonly Variable[]): ConfigurationProblem {
  const place = path.join('.');
  // A text that became a list or an object has taken the place of whatever files say of its parts.
  const around = variables.findLast(({ text, formatted, path: outer }) => text !== undefined && !formatted && isInside(path, outer));
  const outer = around && shownVariable(around.name);
  if (outer !== undefined && kind === 'missing') return { path: place, message, mend: `set it in ${outer}` };
  const layer = path.length === 0 ? undefined : files.layers.findLast(({ values }) => valueAt(values, path) !== undefined);
  const source = outer ?? layer?.source;
  if (source !== undefined)
    return { path: place, source, message, mend: kind === 'unknown' ? 'remove it or correct its name' : 'correct it there' };
  if (path.length === 0) return { path: place, message, mend: `correct it in ${files.folder}` };
  const variable = variables.findLast((candidate) => candidate.path.join('.') === place);
  const mend = `set it in ${files.folder}/default.json${variable ? ` or by ${shownVariable(variable.name)}` : ''}`;
  return { path: place, message, mend };
}

function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return outer.length < path.length && outer.every((name, index) => name === path[index]);
}

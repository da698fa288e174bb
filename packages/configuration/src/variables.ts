import parser from 'config/parser.js';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.ts';
import type { Environment, Layer } from './files.ts';
import { isPlainObject, reservedName } from './plain-object.ts';

/** Names of environment variables, in the form of the settings; with `__format` the text is read as `number`, `boolean`, `json`, `yaml` … */
export interface VariableMap {
  readonly [setting: string]: string | VariableMap | { readonly __name: string; readonly __format?: string };
}

/** A setting that an environment variable may give. */
export interface Variable {
  /** Path of the setting. */
  readonly path: readonly string[];
  /** Name of the environment variable. */
  readonly name: string;
  /** Its text; `undefined` when it is not set, or set to nothing. */
  readonly text: string | undefined;
  /** What the text stands for, when the map gives a format; else the text. */
  readonly value: unknown;
  /** Whether the map gives a format: the value is not converted again. */
  readonly formatted: boolean;
}

/**
 * Reads the environment variables that maps name.
 *
 * @param maps maps with the places where they stand; later ones win
 * @param env the environment variables
 * @throws ConfigurationError for a map that is malformed, or a text that does not fit its format
 */
export function readVariables(maps: readonly Layer[], env: Environment): readonly Variable[] {
  const problems: ConfigurationProblem[] = [];
  const found = maps.flatMap(({ source, values }) => [...variablesOf(values, [], source, env, problems)]);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return found;
}

function* variablesOf(
  map: object,
  path: readonly string[],
  source: string,
  env: Environment,
  problems: ConfigurationProblem[],
): Generator<Variable> {
  for (const [setting, entry] of Object.entries(map)) {
    const at = [...path, setting];
    if (setting === '__proto__') {
      problems.push({ path: '', source, message: `has the reserved name '${at.join('.')}'`, mend: 'rename it' });
      continue;
    }
    const named = nameAndFormat(entry);
    if (named) {
      const text = env[named.name] === '' ? undefined : env[named.name];
      const read = text === undefined || named.format === undefined ? { value: text } : readAs(named.format, text);
      if ('message' in read)
        problems.push({ path: at.join('.'), source: shownVariable(named.name), message: read.message, mend: read.mend });
      else yield { path: at, name: named.name, text, value: read.value, formatted: named.format !== undefined };
    } else if (isPlainObject(entry) && !('__name' in entry)) yield* variablesOf(entry, at, source, env, problems);
    else problems.push({ path: at.join('.'), source, message: 'must be the name of an environment variable', mend: 'correct the map' });
  }
}

/** @returns how an error names an environment variable */
export function shownVariable(name: string): string {
  return `the environment variable ${name}`;
}

/** Letters, digits and `_`; Windows has some with `(`, `)`, `.` and `-` too. */
const IS_NAME = /^[\w().-]{1,200}$/;

function nameAndFormat(entry: unknown): { readonly name: string; readonly format: string | undefined } | undefined {
  // Somebody who writes the value there is not told what it is.
  if (typeof entry === 'string') return IS_NAME.test(entry) ? { name: entry, format: undefined } : undefined;
  if (!isPlainObject(entry) || typeof entry.__name !== 'string' || !IS_NAME.test(entry.__name)) return undefined;
  const { __name: name, __format: format } = entry;
  return format === undefined || typeof format === 'string' ? { name, format } : undefined;
}

type Read = { readonly value: unknown } | { readonly message: string; readonly mend: string };

/** The library reads `yes` as false and drops a number that is none; here they are refused. */
function readAs(format: string, text: string): Read {
  const mend = 'correct it there';
  if (format === 'boolean') {
    if (text === 'true' || text === 'false') return { value: text === 'true' };
    return { message: 'must be true or false', mend };
  }
  if (format === 'number') {
    const value = toNumber(text);
    return value === undefined ? { message: 'must be a number', mend } : { value };
  }
  // What every object has, such as `constructor`, is no parser.
  const parse: unknown = [parser.getFilesOrder()].flat().includes(format) ? parser.getParser(format) : undefined;
  if (typeof parse !== 'function') return { message: `has the unknown format '${format}'`, mend: 'correct the map' };
  try {
    const value: unknown = Reflect.apply(parse, parser, ['', text]);
    const reserved = reservedName(value);
    return reserved === undefined ? { value } : { message: `has the reserved name '${reserved}'`, mend: 'rename it' };
  } catch {
    return { message: `must be valid ${format.toUpperCase()}`, mend };
  }
}

/** @returns the number that a text is, written in full, or `undefined`; whole numbers that would become their neighbour are none */
export function toNumber(text: string): number | undefined {
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  const isExact = !/^[-+]?\d+$/.test(text) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : undefined;
}

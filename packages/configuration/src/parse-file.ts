import { extname, relative, resolve, sep } from 'node:path';
import parser from 'config/parser.js';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.ts';
import { isPlainObject, reservedName } from './plain-object.ts';

/** Forms whose files are programs: they may give a function, and what they throw is worth keeping. */
const PROGRAMS: ReadonlySet<string> = new Set(['js', 'cjs', 'mjs', 'ts', 'coffee', 'iced']);

/** Of the process: any file will do, and in a bundle a module has no address. It is asked for without an import, which webpack would answer with nothing. */
const { cache: loaded } = process.getBuiltinModule('node:module').createRequire(resolve('any.js'));

/**
 * Reads one file by the library's parser for its form.
 *
 * @param name full name of the file
 * @param text its content
 * @param source how an error names it
 * @returns the settings in it, or the function that makes them
 * @throws ConfigurationError that names the file and the line, and shows nothing of the content
 */
export function parseFile(name: string, text: string, source: string = shownPath(name)): object {
  const form = extname(name).slice(1);
  let parsed: unknown;
  // Node.js gives a program that it has loaded before as it was then.
  if (PROGRAMS.has(form)) Reflect.deleteProperty(loaded, name);
  try {
    parsed = parser.parse(name, text);
  } catch (error) {
    // Texts of these show the line of the program, or what it has read.
    if (PROGRAMS.has(form) && nameOf(error) === 'SyntaxError')
      throw failure(source, `could not be loaded (SyntaxError${lineOf(error, name)})`, 'correct it there');
    if (PROGRAMS.has(form)) throw failure(source, `could not be loaded (${nameOf(error)})`, 'the cause of this error says why', error);
    if (nameOf(error) === 'MODULE_NOT_FOUND') throw withoutPackage(source, form);
    throw failure(source, `is not valid ${form.toUpperCase()}${placeOf(error)}`, 'correct it there');
  }
  if (typeof parsed === 'function' && PROGRAMS.has(form)) return parsed;
  if (parsed === undefined) throw withoutPackage(source, form);
  if (!PROGRAMS.has(form) && !isPlainObject(parsed)) throw failure(source, 'must hold an object with settings', 'correct it there');
  if (typeof parsed !== 'object' || parsed === null) throw failure(source, 'must give an object with settings', 'correct it there');
  const reserved = reservedName(parsed);
  if (reserved !== undefined) throw failure(source, `has the reserved name '${reserved}'`, 'rename it');
  return parsed;
}

/** @returns a file's name as it is shown: from the working directory, with slashes; other names stay */
export function shownPath(name: string): string {
  if (resolve(name) !== name) return name;
  const path = relative(process.cwd(), name);
  return path.startsWith('..') || path === '' ? name : path.split(sep).join('/');
}

function withoutPackage(source: string, form: string): ConfigurationError {
  return failure(source, 'could not be read', `install the package that reads ${form} files, or write it as JSON`);
}

function failure(source: string, message: string, mend: string, cause?: unknown): ConfigurationError {
  const problem: ConfigurationProblem = { path: '', source, message, mend };
  return new ConfigurationError([problem], cause);
}

/** JSON5 and yaml say where; their texts show what they found, and are not repeated. */
function placeOf(error: unknown): string {
  const { lineNumber, columnNumber, linePos } = Object(error) as {
    lineNumber?: unknown;
    columnNumber?: unknown;
    linePos?: readonly { line: number; col: number }[];
  };
  const line = lineNumber ?? linePos?.[0]?.line;
  const column = columnNumber ?? linePos?.[0]?.col;
  return typeof line === 'number' && typeof column === 'number' ? ` at line ${line}, column ${column}` : '';
}

/** Where Node.js says that a program does not parse. */
function lineOf(error: unknown, name: string): string {
  const [first = ''] = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const line = first.startsWith(`${name}:`) ? first.slice(name.length + 1) : '';
  return /^\d+$/.test(line) ? ` at line ${line}` : '';
}

function nameOf(error: unknown): string {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'it threw no error';
}

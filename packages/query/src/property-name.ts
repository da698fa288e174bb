import { BadRequest } from '@framework/errors';
import { refusedName } from './hints.ts';
import type { QueryOptions } from './query-types.ts';

/** Names that lead to what all objects have in common, and the one by which the driver of a database knows values of its own. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

/**
 * Checks a property name of a query.
 *
 * @throws BadRequest (400) for names that begin with `$`, contain NUL, would reach a prototype or pass for a value of the database, are hidden, or
 *   are a dotted path that the service does not declare
 * @see security S3, S7
 */
export function checkPropertyName(name: string, options: QueryOptions): void {
  if (name.startsWith('$')) throw new BadRequest(`Invalid query parameter ${name}`, refusedName(name, 'conditions'));
  if (isPlainName(name)) {
    if (FORBIDDEN.has(name)) throw invalidName(name);
  } else checkPath(name, options);
  if (options.hidden !== undefined && isHidden(name, options.hidden)) throw invalidName(name);
}

function isPlainName(name: string): boolean {
  return name !== '' && !name.includes('.') && !name.includes('\0');
}

function checkPath(name: string, options: QueryOptions): void {
  const segments = name.split('.');
  if (name.includes('\0') || segments.some((segment) => segment === '' || segment.startsWith('$') || FORBIDDEN.has(segment))) {
    throw invalidName(name);
  }
  const paths = options.paths ?? true;
  if (paths === true) return;
  if (paths === false || !paths.includes(name)) {
    throw new BadRequest(
      `The path '${shown(name)}' is not declared. List it in the service's 'paths' option or in its query schema to allow it`,
      { parameter: shown(name) },
    );
  }
}

/** A hidden property hides everything below it, and a whole value above it is compared only with it inside. */
function isHidden(name: string, hidden: readonly string[]): boolean {
  return hidden.some((field) => name === field || name.startsWith(`${field}.`) || field.startsWith(`${name}.`));
}

function invalidName(name: string): BadRequest {
  return new BadRequest(`'${shown(name)}' can not be used as a property in a query`, { parameter: shown(name) });
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name.replaceAll('\0', '\\0');
}

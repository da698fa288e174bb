import type { DescribedSchema } from '@framework/core';
import { DATA, NAMED } from './schema-keywords.ts';

/** A definition, in present and older words of JSON Schema. */
const DEFINITION = /^#\/(?:\$defs|definitions)\//;
const SERVICE = 'service:';

/** Where references of a schema lead in the document. */
export interface ReferenceTargets {
  /** The schema that stands for a definition of the same description. */
  readonly definition: (name: string) => DescribedSchema;
  /** The schema of a record of the service at a path. */
  readonly service: (path: string) => DescribedSchema;
}

/**
 * Writes the references of a schema anew.
 *
 * @param schema a schema as services describe it
 * @returns a copy
 */
export function rewritten(schema: DescribedSchema, targets: ReferenceTargets): DescribedSchema {
  if (typeof schema === 'boolean') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === '$ref' && typeof value === 'string') return Object.entries(targetOf(value, targets));
      if (NAMED.has(keyword) && isObject(value)) return [[keyword, byName(value, targets)]];
      return [[keyword, DATA.has(keyword) ? value : inner(value, targets)]];
    }),
  );
}

function byName(schemas: Readonly<Record<string, unknown>>, targets: ReferenceTargets): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema, targets)]));
}

function inner(value: unknown, targets: ReferenceTargets): unknown {
  if (Array.isArray(value)) return value.map((part) => inner(part, targets));
  return isObject(value) ? rewritten(value, targets) : value;
}

function targetOf(reference: string, targets: ReferenceTargets): object {
  const found = DEFINITION.test(reference)
    ? targets.definition(definitionName(reference))
    : reference.startsWith(SERVICE)
      ? targets.service(reference.slice(SERVICE.length))
      : { $ref: reference };
  return typeof found === 'boolean' ? {} : found;
}

/** @returns the name in a reference to a definition, which is a pointer in a URL */
function definitionName(reference: string): string {
  const pointer = reference.replace(DEFINITION, '');
  try {
    return decodeURIComponent(pointer).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    // Nothing is called so.
    return pointer;
  }
}

/** @returns names of the definitions that a schema leads to, itself not counted, in the order in which they are met */
export function definitionsIn(schema: DescribedSchema, definitions: Readonly<Record<string, DescribedSchema>>): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value))
      for (const [keyword, part] of Object.entries(value)) {
        if (keyword === '$ref' && typeof part === 'string' && DEFINITION.test(part)) found.add(definitionName(part));
        else if (NAMED.has(keyword) && isObject(part)) Object.values(part).forEach(look);
        else if (!DATA.has(keyword)) look(part);
      }
  };
  look(schema);
  // A set that grows while it is walked is walked to its end.
  for (const name of found) if (Object.hasOwn(definitions, name)) look(definitions[name]);
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

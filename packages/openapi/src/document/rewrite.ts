import type { DescribedSchema } from '@framework/core';
import { mapSchemas, type SchemaObject } from './map-schemas.ts';

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
  return typeof schema === 'boolean' ? schema : rewrittenObject(schema, targets);
}

function rewrittenObject(schema: SchemaObject, targets: ReferenceTargets): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === '$ref' && typeof value === 'string') return Object.entries(targetOf(value, targets));
      return [[keyword, mapSchemas(keyword, value, (part) => rewrittenObject(part, targets))]];
    }),
  );
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
export function definitionName(reference: string): string {
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
  const look = (part: SchemaObject): SchemaObject => {
    for (const [keyword, value] of Object.entries(part)) {
      if (keyword === '$ref' && typeof value === 'string' && DEFINITION.test(value)) found.add(definitionName(value));
      else mapSchemas(keyword, value, look);
    }
    return part;
  };
  if (typeof schema !== 'boolean') look(schema);
  // A set that grows while it is walked is walked to its end.
  for (const name of found) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (typeof definition === 'object') look(definition);
  }
  return found;
}

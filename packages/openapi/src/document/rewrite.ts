import type { DescribedSchema } from '@framework/core';

const DEFINITION = '#/$defs/';
const SERVICE = 'service:';

/** Keywords whose values are data and never schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

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
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref' && typeof value === 'string') Object.assign(copy, targetOf(value, targets));
    else copy[keyword] = DATA.has(keyword) ? value : inner(value, targets);
  }
  return copy;
}

function inner(value: unknown, targets: ReferenceTargets): unknown {
  if (Array.isArray(value)) return value.map((part) => inner(part, targets));
  return isObject(value) ? rewritten(value, targets) : value;
}

function targetOf(reference: string, targets: ReferenceTargets): object {
  const found = reference.startsWith(DEFINITION)
    ? targets.definition(reference.slice(DEFINITION.length))
    : reference.startsWith(SERVICE)
      ? targets.service(reference.slice(SERVICE.length))
      : { $ref: reference };
  return typeof found === 'boolean' ? {} : found;
}

/** @returns names of the definitions that a schema leads to, itself not counted, in the order in which they are met */
export function definitionsIn(schema: DescribedSchema, definitions: Readonly<Record<string, DescribedSchema>>): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value))
      for (const [keyword, part] of Object.entries(value)) {
        if (keyword === '$ref' && typeof part === 'string' && part.startsWith(DEFINITION)) found.add(part.slice(DEFINITION.length));
        else if (!DATA.has(keyword)) look(part);
      }
  };
  look(schema);
  // A set that grows while it is walked is walked to its end.
  for (const name of found) look(definitions[name]);
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { JSONSchema } from '../json-schema.ts';
import { ANNOTATIONS, IN_PLACE, isSchema, REFERENCES, subschemas } from './keywords.ts';
import { MARK_NAMES } from './marks.ts';
import type { References } from './references.ts';

/** Which properties decide whether an object fits a schema. */
export interface DecidingNames {
  readonly names: readonly string[];
  /** Whether nothing else of the object decides it, such as how many properties it has. */
  readonly all: boolean;
}

/** Keywords of which it is known which properties they ask about, and those that ask about none. */
const KNOWN: ReadonlySet<string> = new Set([
  ...IN_PLACE,
  ...REFERENCES,
  ...['not', 'type', 'properties', 'required', 'dependentRequired', '$defs', 'definitions', '$id', '$anchor', '$schema', '$comment'],
  ...ANNOTATIONS,
  ...MARK_NAMES,
]);

/** @returns names of the properties that decide whether an object fits a schema, by its parts, alternatives and conditions too */
export function decidingNames(schema: unknown, references: References): DecidingNames {
  const names = new Set<string>();
  const parts = new Set<JSONSchema>(isSchema(schema) ? [schema] : []);
  let all = true;
  // A set that grows while it is walked is walked to its end.
  for (const part of parts) {
    all &&= Object.keys(part).every((keyword) => KNOWN.has(keyword));
    for (const name of namesIn(part)) names.add(name);
    for (const keyword of [...IN_PLACE, 'not']) for (const inner of subschemas(keyword, part[keyword])) parts.add(inner);
    for (const target of references.of(part)) parts.add(target);
  }
  return { names: [...names], all };
}

function namesIn({ properties, required, dependentRequired, dependentSchemas, dependencies }: JSONSchema): string[] {
  const maps = [properties, dependentRequired, dependentSchemas, dependencies].filter(isSchema);
  return [...maps.flatMap((map) => Object.keys(map)), ...[required, ...maps.flatMap((map) => Object.values(map))].flatMap(listOf)];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
